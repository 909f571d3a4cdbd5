# SPDX-License-Identifier: MIT
# The module for Redis: one shared object with the library and the reader of descriptions. To build it, Redis is not
# needed.
file(GLOB redis CONFIGURE_DEPENDS bindings/redis/*.c)
file(GLOB reader CONFIGURE_DEPENDS app/common/*.c app/describe/*.c)
list(FILTER reader EXCLUDE REGEX "/describe/(document|prior_file)\\.c$") # the module reads no YAML, and no files
set(shared_with_engine app/engine/context.c app/engine/cost.c app/engine/description.c app/engine/rewards.c app/engine/siphash.c app/engine/token.c)
pkg_check_modules(describing REQUIRED IMPORTED_TARGET jansson)
add_library(posse_redis MODULE ${redis} ${reader} ${shared_with_engine})
set_target_properties(posse_redis PROPERTIES PREFIX "")
target_compile_definitions(posse_redis PRIVATE _GNU_SOURCE)
target_include_directories(posse_redis PRIVATE bindings app lib include)
target_link_libraries(posse_redis PRIVATE posse_internal PkgConfig::describing Threads::Threads m
                                          posse_warnings_strict)

# The value of a key, for tests.
add_library(posse_redis_value OBJECT EXCLUDE_FROM_ALL bindings/redis/value.c app/engine/siphash.c app/engine/token.c)
target_include_directories(posse_redis_value PUBLIC bindings app PRIVATE include)
target_link_libraries(posse_redis_value PRIVATE posse_warnings_strict)
