# SPDX-License-Identifier: MIT
# The package for Python. The target `python` writes it to PYTHON_PACKAGE/posse, from where it can be imported. The
# module uses the limited API only, so that one build works with every Python from 3.11. Without Python's headers the
# target does not exist; no other target depends on it.

set(PYTHON /usr/bin/python3 CACHE FILEPATH "The Python that the package is built with")
set(PYTHON_PACKAGE ${PROJECT_BINARY_DIR}/python CACHE PATH "Where the package goes")

set(Python3_EXECUTABLE ${PYTHON})
find_package(Python3 3.11 QUIET COMPONENTS Interpreter Development.Module)
if(NOT Python3_FOUND OR POSSE_SANITIZE OR POSSE_COVERAGE OR POSSE_FUZZ) # Python itself would have to be instrumented
  return()
endif()

# The program is part of the module, for `python -m posse`, with another name for main.
add_library(posse_module_main OBJECT EXCLUDE_FROM_ALL app/cli/main.c)
target_compile_definitions(posse_module_main PRIVATE main=posse_program_main)
target_link_libraries(posse_module_main PRIVATE posse_commands)

# It has no server, and says so in words of its own.
add_library(posse_module_serve OBJECT EXCLUDE_FROM_ALL app/cli/command_serve_absent.c)
target_compile_definitions(posse_module_serve PRIVATE POSSE_PYTHON_PACKAGE)
target_link_libraries(posse_module_serve PRIVATE posse_commands)

file(GLOB module CONFIGURE_DEPENDS bindings/python/src/*.c)
# The module _posse, in FOLDER/posse.
function(python_module target folder)
  add_library(${target} MODULE EXCLUDE_FROM_ALL ${module} ${paper_assets})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME _posse PREFIX "" SUFFIX .abi3.so
                                             LIBRARY_OUTPUT_DIRECTORY ${folder}/posse)
  target_compile_definitions(${target} PRIVATE Py_LIMITED_API=0x030b0000)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/bindings)
  target_include_directories(${target} SYSTEM PRIVATE ${Python3_INCLUDE_DIRS})
  target_link_libraries(${target} PRIVATE posse_module_main posse_commands posse_module_serve posse_internal posse_experiment posse_ranks_alone
                                          posse_report posse_warnings_strict)
endfunction()
python_module(posse_module ${PYTHON_PACKAGE})

# The Python files are copied. declare.py adds the types of all kinds and keys, which it asks the module for.
file(GLOB package CONFIGURE_DEPENDS bindings/python/posse/*.py bindings/python/posse/*.pyi bindings/python/posse/py.typed)
set(parts ${PYTHON_PACKAGE}/posse/parts.py)
add_custom_command(
  OUTPUT ${parts}
  COMMAND ${CMAKE_COMMAND} -E copy ${package} ${PYTHON_PACKAGE}/posse
  COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${PYTHON_PACKAGE} PYTHONDONTWRITEBYTECODE=1 ${PYTHON} -P
          ${PROJECT_SOURCE_DIR}/bindings/python/declare.py ${PYTHON_PACKAGE}/posse
  DEPENDS posse_module ${package} bindings/python/declare.py
  VERBATIM
  COMMENT "Putting the Python package together")
add_custom_target(python DEPENDS posse_module ${parts})
