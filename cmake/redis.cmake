# SPDX-License-Identifier: MIT
# The module for Redis: one shared object with the library and the reader of descriptions. To build it, Redis is not
# needed.
file(GLOB redis CONFIGURE_DEPENDS redis/*.c)
file(GLOB reader CONFIGURE_DEPENDS src/experiment/base/*.c src/experiment/read/*.c)
set(shared_with_engine engine/context.c engine/description.c engine/rewards.c engine/siphash.c engine/token.c)
pkg_check_modules(describing REQUIRED IMPORTED_TARGET libfyaml jansson)
add_library(posse_redis MODULE ${redis} ${reader} ${shared_with_engine})
set_target_properties(posse_redis PROPERTIES PREFIX "")
target_compile_definitions(posse_redis PRIVATE _GNU_SOURCE)
target_include_directories(posse_redis PRIVATE ${PROJECT_SOURCE_DIR} src include)
target_link_libraries(posse_redis PRIVATE posse_internal PkgConfig::describing Threads::Threads m
                                          posse_warnings_strict)

# The value of a key, for tests.
add_library(posse_redis_value OBJECT EXCLUDE_FROM_ALL redis/value.c engine/siphash.c engine/token.c)
target_include_directories(posse_redis_value PUBLIC ${PROJECT_SOURCE_DIR} PRIVATE include)
target_link_libraries(posse_redis_value PRIVATE posse_warnings_strict)
