# SPDX-License-Identifier: MIT
# What `make install` installs: the program, the header, both libraries, and what CMake and pkg-config find them by.
include(CMakePackageConfigHelpers)

install(TARGETS posse posse_static EXPORT posse)
install(TARGETS posse_program)
install(FILES include/posse.h include/posse_abreast.h TYPE INCLUDE)
file(GLOB documents README.md CHANGELOG.md CITATION.cff LICENSE)
install(FILES ${documents} TYPE DOC)
install(DIRECTORY docs TYPE DOC)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/posse)
install(EXPORT posse NAMESPACE posse:: FILE posseTargets.cmake DESTINATION ${package})
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
else()
  set(compatibility SameMajorVersion)
endif()
write_basic_package_version_file(posseConfigVersion.cmake COMPATIBILITY ${compatibility})
configure_package_config_file(cmake/posseConfig.cmake.in posseConfig.cmake INSTALL_DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/posseConfig.cmake ${PROJECT_BINARY_DIR}/posseConfigVersion.cmake
        DESTINATION ${package})

# The .pc file has the relative path from itself to the prefix, so that an installed tree may be moved.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(cmake/posse.pc.in posse.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/posse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
