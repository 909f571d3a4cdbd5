# SPDX-License-Identifier: MIT
# The program: experiments, their report, and the commands.

# Experiments: files, runs, results. They use the public header of the library, and libraries for file formats.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
# Debian calls the serial HDF5 hdf5-serial, other systems hdf5.
pkg_check_modules(hdf5_serial QUIET hdf5-serial)
if(hdf5_serial_FOUND)
  set(hdf5 hdf5-serial)
else()
  set(hdf5 hdf5)
endif()
pkg_check_modules(formats REQUIRED IMPORTED_TARGET libfyaml jansson zlib)

# HDF5 is loaded at run time (app/experiment/store/hdf5_library.h), so only its headers and the name of its file are used.
pkg_check_modules(hdf5 REQUIRED ${hdf5})
find_library(HDF5_LIBRARY NAMES ${hdf5_LIBRARIES} HINTS ${hdf5_LIBRARY_DIRS} REQUIRED DOC "The HDF5 library")
execute_process(COMMAND ${CMAKE_OBJDUMP} -p ${HDF5_LIBRARY} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "SONAME +([^ \n]+)")
  message(FATAL_ERROR "${HDF5_LIBRARY} is not a shared library")
endif()
set(hdf5_file ${CMAKE_MATCH_1})

file(GLOB experiment CONFIGURE_DEPENDS app/common/*.c app/describe/*.c app/experiment/*/*.c)
list(FILTER experiment EXCLUDE REGEX "/ranks(_alone)?\\.c$")
add_library(posse_experiment OBJECT ${experiment})
target_include_directories(posse_experiment PUBLIC app lib include)
target_include_directories(posse_experiment SYSTEM PUBLIC ${hdf5_INCLUDE_DIRS})
target_link_libraries(posse_experiment PUBLIC PkgConfig::formats Threads::Threads ${CMAKE_DL_LIBS} m
                                       PRIVATE posse_warnings_strict)
set_property(SOURCE app/experiment/store/hdf5_library.c APPEND PROPERTY COMPILE_DEFINITIONS
                                                                        POSSE_HDF5_FILE="${hdf5_file}")
set_property(SOURCE app/experiment/play/device_library.c APPEND PROPERTY
             COMPILE_DEFINITIONS POSSE_LIBRARY_FOLDER="${CMAKE_INSTALL_FULL_LIBDIR}/posse")

# The processes of mpirun, or this one alone. The server and the Python package do not depend on MPI.
if(POSSE_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
add_library(posse_ranks_alone OBJECT app/experiment/play/ranks_alone.c)
target_link_libraries(posse_ranks_alone PRIVATE posse_experiment posse_warnings_strict)
if(MPI_C_FOUND)
  add_library(posse_ranks OBJECT app/experiment/play/ranks.c)
  target_link_libraries(posse_ranks PUBLIC MPI::MPI_C PRIVATE posse_experiment posse_warnings_strict)
else()
  add_library(posse_ranks ALIAS posse_ranks_alone)
endif()

# Pictures and pages, from result files alone. The files of the pages and the paper's experiments are embedded in the
# program, so that it works in any folder.
include(cmake/report.cmake)

include(cmake/serve.cmake)
include(cmake/redis.cmake)

# The commands.
file(GLOB commands CONFIGURE_DEPENDS app/cli/*.c)
file(GLOB exports CONFIGURE_DEPENDS app/cli/export_*.c)
list(REMOVE_ITEM commands ${exports} ${PROJECT_SOURCE_DIR}/app/cli/main.c ${PROJECT_SOURCE_DIR}/app/cli/command_serve.c
                          ${PROJECT_SOURCE_DIR}/app/cli/command_export.c
                          ${PROJECT_SOURCE_DIR}/app/cli/command_erase.c
                          ${PROJECT_SOURCE_DIR}/app/cli/command_serve_absent.c)
add_library(posse_commands OBJECT ${commands})
target_link_libraries(posse_commands PUBLIC posse_experiment posse_report posse_warnings)

# The program with the commands, and the same without MPI, which is the one of the package posse-server.
# Numbers, tables and JSON are read by the library's sources, whose functions are local in its archive.
set(shared_with_library lib/base/format.c lib/base/memory.c lib/base/shared_table.c lib/data/csv.c lib/data/decimal.c lib/data/json_reader.c lib/data/json_writer.c lib/data/problem.c)
function(program target ranks)
  add_executable(${target} app/cli/main.c ${shared_with_library} ${paper_assets})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME posse ENABLE_EXPORTS ON) # plugins call the library
  if(POSSE_SERVES)
    target_link_libraries(${target} PRIVATE posse_serve_command posse_serve posse_engine)
  else()
    target_link_libraries(${target} PRIVATE posse_serve_absent)
  endif()
  target_link_libraries(${target} PRIVATE posse_static posse_commands posse_experiment posse_report ${ranks} posse_warnings)
endfunction()
program(posse_program posse_ranks)
program(posse_server posse_ranks_alone)
set_target_properties(posse_server PROPERTIES EXCLUDE_FROM_ALL ON RUNTIME_OUTPUT_DIRECTORY server)
