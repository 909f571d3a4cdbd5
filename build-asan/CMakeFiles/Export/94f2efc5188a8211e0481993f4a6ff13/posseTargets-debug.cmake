#----------------------------------------------------------------
# Generated CMake target import file for configuration "Debug".
#----------------------------------------------------------------

# Commands may need to know the format version.
set(CMAKE_IMPORT_FILE_VERSION 1)

# Import target "posse::posse" for configuration "Debug"
set_property(TARGET posse::posse APPEND PROPERTY IMPORTED_CONFIGURATIONS DEBUG)
set_target_properties(posse::posse PROPERTIES
  IMPORTED_LOCATION_DEBUG "${_IMPORT_PREFIX}/lib/libposse.so.0.2.0"
  IMPORTED_SONAME_DEBUG "libposse.so.0.2"
  )

list(APPEND _cmake_import_check_targets posse::posse )
list(APPEND _cmake_import_check_files_for_posse::posse "${_IMPORT_PREFIX}/lib/libposse.so.0.2.0" )

# Import target "posse::posse_static" for configuration "Debug"
set_property(TARGET posse::posse_static APPEND PROPERTY IMPORTED_CONFIGURATIONS DEBUG)
set_target_properties(posse::posse_static PROPERTIES
  IMPORTED_LOCATION_DEBUG "${_IMPORT_PREFIX}/lib/libposse.a"
  )

list(APPEND _cmake_import_check_targets posse::posse_static )
list(APPEND _cmake_import_check_files_for_posse::posse_static "${_IMPORT_PREFIX}/lib/libposse.a" )

# Commands beyond this point should not need to know the version.
set(CMAKE_IMPORT_FILE_VERSION)
