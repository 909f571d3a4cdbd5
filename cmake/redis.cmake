# SPDX-License-Identifier: MIT
# The module for Redis: one shared object with the library, the reader of descriptions and the operations on served
# posses. To build it, neither Redis nor SQLite is needed.
file(GLOB redis CONFIGURE_DEPENDS bindings/redis/*.c)
file(GLOB operations CONFIGURE_DEPENDS app/common/*.c app/describe/*.c app/served/*.c)
list(FILTER operations EXCLUDE REGEX "/describe/(document|prior_file)\\.c$") # the module reads no YAML, and no files
pkg_check_modules(describing REQUIRED IMPORTED_TARGET jansson)
add_library(posse_redis MODULE ${redis} ${operations})
set_target_properties(posse_redis PROPERTIES PREFIX "")
target_compile_definitions(posse_redis PRIVATE _GNU_SOURCE)
target_include_directories(posse_redis PRIVATE bindings app lib include)
target_link_libraries(posse_redis PRIVATE posse_internal PkgConfig::describing Threads::Threads m
                                          posse_warnings_strict)

# The value of a key, for tests.
file(GLOB served CONFIGURE_DEPENDS app/served/*.c)
add_library(posse_redis_value OBJECT EXCLUDE_FROM_ALL bindings/redis/value.c ${served})
target_compile_definitions(posse_redis_value PRIVATE _GNU_SOURCE)
target_include_directories(posse_redis_value PUBLIC bindings app PRIVATE include lib)
target_link_libraries(posse_redis_value PRIVATE posse_warnings_strict PkgConfig::describing)
