# SPDX-License-Identifier: MIT
# The files of `make install`: headers, both libraries with their files for CMake and pkg-config, the program with its
# completion, manual pages, and documents.
include(CMakePackageConfigHelpers)

install(TARGETS posse_shared posse_static EXPORT posse)
install(DIRECTORY include/ TYPE INCLUDE)
install(DIRECTORY ${manual}/ TYPE MAN)
if(POSSE_PROGRAM)
  install(TARGETS posse_program)
  install(TARGETS posse_redis LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/posse)
  install(FILES app/cli/completion/posse.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME posse)
  if(POSSE_SERVES)
    install(FILES packaging/posse.service TYPE DOC)
    install(DIRECTORY packaging/monitoring TYPE DOC)
  endif()
  install(FILES app/cli/completion/_posse DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
endif()

# The documents, in the folders of the sources, with the header and the examples that they link to.
install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md CITATION.cff LICENSE TYPE DOC)
install(DIRECTORY docs include examples experiments TYPE DOC PATTERN __pycache__ EXCLUDE PATTERN docs/site EXCLUDE)

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

# The .pc file has the relative path to the prefix, so that an installed tree may be moved.
file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(cmake/posse.pc.in posse.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/posse.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
