# SPDX-License-Identifier: MIT
# The program: experiments, their report, and the commands.

# Experiments: files, runs, results. On the library's public header, plus what reads and writes the files.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(formats REQUIRED IMPORTED_TARGET libfyaml jansson hdf5-serial zlib)
if(POSSE_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
file(GLOB experiment CONFIGURE_DEPENDS src/experiment/*/*.c)
if(MPI_C_FOUND)
  list(FILTER experiment EXCLUDE REGEX "/ranks_alone\\.c$")
else()
  list(FILTER experiment EXCLUDE REGEX "/ranks\\.c$")
endif()
add_library(posse_experiment OBJECT ${experiment})
target_include_directories(posse_experiment PUBLIC src)
target_link_libraries(posse_experiment PUBLIC PkgConfig::formats Threads::Threads m
                                       PRIVATE posse_warnings_strict)
target_include_directories(posse_experiment PUBLIC include)
if(MPI_C_FOUND)
  target_link_libraries(posse_experiment PUBLIC MPI::MPI_C)
endif()

# Pictures and pages, from result files alone. What the pages are made of, and the paper's experiments, become part of
# the program, so that it works from anywhere.
include(cmake/report.cmake)

include(cmake/serve.cmake)
include(cmake/redis.cmake)

# cli/ are the commands.
file(GLOB commands CONFIGURE_DEPENDS cli/*.c)
list(REMOVE_ITEM commands ${PROJECT_SOURCE_DIR}/cli/main.c ${PROJECT_SOURCE_DIR}/cli/serve.c ${PROJECT_SOURCE_DIR}/cli/export.c
                          ${PROJECT_SOURCE_DIR}/cli/serve_absent.c)
add_library(posse_commands OBJECT ${commands})
target_include_directories(posse_commands PUBLIC ${PROJECT_SOURCE_DIR})
target_link_libraries(posse_commands PUBLIC posse_experiment posse_report posse_warnings)
add_executable(posse_program cli/main.c ${paper_assets})
set_target_properties(posse_program PROPERTIES OUTPUT_NAME posse ENABLE_EXPORTS ON) # plugins call the library
if(POSSE_SERVES)
  target_link_libraries(posse_program PRIVATE posse_serve_command posse_serve posse_engine)
else()
  target_link_libraries(posse_program PRIVATE posse_serve_absent)
endif()
target_link_libraries(posse_program PRIVATE posse_static posse_commands posse_experiment posse_report posse_warnings)
