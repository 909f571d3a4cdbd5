# SPDX-License-Identifier: MIT
# The manual pages, made from the header and from the help texts of the program.
set(manual ${PROJECT_BINARY_DIR}/man)
set(make_manual ${PROJECT_SOURCE_DIR}/tools/man.sh)
set(header ${PROJECT_SOURCE_DIR}/include/posse.h)
set(more_headers)
foreach(name features inside modes kinds simulate abreast device extend)
  list(APPEND more_headers ${PROJECT_SOURCE_DIR}/include/posse_${name}.h)
endforeach()

add_custom_command(
  OUTPUT ${manual}/man3/posse.3
  COMMAND ${make_manual} library ${header} ${manual}/man3 ${more_headers}
  DEPENDS ${make_manual} ${header} ${more_headers}
  VERBATIM
  COMMENT "Writing the manual page of the library")
set(pages ${manual}/man3/posse.3)

# These pages need a program that runs on this machine. Instrumented programs print and write other things as well.
if(POSSE_PROGRAM AND NOT (CMAKE_CROSSCOMPILING OR checks OR POSSE_COVERAGE))
  add_custom_command(
    OUTPUT ${manual}/man1/posse.1
    COMMAND ${make_manual} program ${header} ${manual}/man1 $<TARGET_FILE:posse_program>
    DEPENDS ${make_manual} ${header} posse_program
    VERBATIM
    COMMENT "Writing the manual pages of the program")
  list(APPEND pages ${manual}/man1/posse.1)
endif()
add_custom_target(manual ALL DEPENDS ${pages})
