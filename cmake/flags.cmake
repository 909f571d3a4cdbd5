# SPDX-License-Identifier: MIT
# Compiler flags.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON) # vector types and __int128
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# The numeric rule (docs/numeric-rule.md): the same bits on every machine.
#   -ffp-contract=off  a*b + c is rounded twice; compilers would fuse it by default on processors that can.
#   -fno-math-errno    sqrt is one instruction, correctly rounded, without a call that might set errno.
# For the same reason neither -ffast-math nor -march=native is used. The library detects the processor at run time.
add_compile_options(-ffp-contract=off -fno-math-errno)

# -Wconversion without signs, because counts are int in the interface and size_t in loops.
add_library(posse_warnings INTERFACE)
target_compile_options(posse_warnings INTERFACE -Wall -Wextra -Wshadow -Wstrict-prototypes -Wvla
                                                $<$<BOOL:${POSSE_WERROR}>:-Werror>)
add_library(posse_warnings_strict INTERFACE)
target_compile_options(posse_warnings_strict INTERFACE -Wconversion -Wno-sign-conversion -Wmissing-prototypes)
target_link_libraries(posse_warnings_strict INTERFACE posse_warnings)

if(POSSE_SANITIZE OR POSSE_FUZZ)
  set(checks -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(POSSE_SANITIZE_THREADS)
  set(checks -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(checks)
  add_compile_definitions(POSSE_CHECKS)
  add_compile_options(${checks})
  add_link_options(${checks})
endif()
if(POSSE_ASSERTS OR checks)
  add_compile_definitions(POSSE_ASSERTS)
else()
  add_compile_definitions($<$<CONFIG:Debug>:POSSE_ASSERTS>)
endif()
if(POSSE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(POSSE_FUZZ OR POSSE_SANITIZE_THREADS)
  set(POSSE_FEW_KERNELS ON) # the tests under POSSE_SANITIZE have them all
  add_compile_definitions(POSSE_FEW_KERNELS)
endif()
if(POSSE_COVERAGE)
  add_compile_options(--coverage -fprofile-update=atomic) # because threads count concurrently
  add_link_options(--coverage)
endif()
