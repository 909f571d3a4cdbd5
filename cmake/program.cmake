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
pkg_check_modules(formats REQUIRED IMPORTED_TARGET libfyaml jansson ${hdf5} zlib)
if(POSSE_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
file(GLOB experiment CONFIGURE_DEPENDS app/common/*.c app/describe/*.c app/experiment/*/*.c)
if(MPI_C_FOUND)
  list(FILTER experiment EXCLUDE REGEX "/ranks_alone\\.c$")
else()
  list(FILTER experiment EXCLUDE REGEX "/ranks\\.c$")
endif()
add_library(posse_experiment OBJECT ${experiment})
target_include_directories(posse_experiment PUBLIC app lib)
target_link_libraries(posse_experiment PUBLIC PkgConfig::formats Threads::Threads m
                                       PRIVATE posse_warnings_strict)
target_include_directories(posse_experiment PUBLIC include)
if(MPI_C_FOUND)
  target_link_libraries(posse_experiment PUBLIC MPI::MPI_C)
endif()

# Pictures and pages, from result files alone. The files of the pages and the paper's experiments are embedded in the
# program, so that it works in any folder.
include(cmake/report.cmake)

include(cmake/serve.cmake)
include(cmake/redis.cmake)

# The commands.
file(GLOB commands CONFIGURE_DEPENDS app/cli/*.c)
list(REMOVE_ITEM commands ${PROJECT_SOURCE_DIR}/app/cli/main.c ${PROJECT_SOURCE_DIR}/app/cli/command_serve.c
                          ${PROJECT_SOURCE_DIR}/app/cli/command_export.c
                          ${PROJECT_SOURCE_DIR}/app/cli/command_serve_absent.c)
add_library(posse_commands OBJECT ${commands})
target_link_libraries(posse_commands PUBLIC posse_experiment posse_report posse_warnings)
# Numbers and JSON are read by the library's sources, whose functions are local in its archive.
set(shared_with_library lib/data/decimal.c lib/data/json_reader.c lib/data/json_writer.c lib/data/problem.c)
add_executable(posse_program app/cli/main.c ${shared_with_library} ${paper_assets})
set_target_properties(posse_program PROPERTIES OUTPUT_NAME posse ENABLE_EXPORTS ON) # plugins call the library
if(POSSE_SERVES)
  target_link_libraries(posse_program PRIVATE posse_serve_command posse_serve posse_engine)
else()
  target_link_libraries(posse_program PRIVATE posse_serve_absent)
endif()
target_link_libraries(posse_program PRIVATE posse_static posse_commands posse_experiment posse_report posse_warnings)
