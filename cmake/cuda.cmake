# SPDX-License-Identifier: MIT
# posse_cuda.so: runs on a GPU. It is built where nvcc is found, and loaded at run time by `posse run --device gpu`. No
# other target depends on it.

option(POSSE_CUDA "Build posse_cuda.so, if nvcc is found" ON)
set(POSSE_CUDA_ARCHITECTURE sm_90 CACHE STRING "The GPU that posse_cuda.so is built for, as nvcc -arch takes it")
find_program(POSSE_NVCC nvcc HINTS /usr/local/cuda/bin DOC "The compiler of CUDA")

if(POSSE_CUDA AND POSSE_NVCC AND NOT checks AND NOT POSSE_COVERAGE)
  file(GLOB device CONFIGURE_DEPENDS lib/abreast/device/*)
  # -fmad=false: a * b + c is rounded twice, as on every processor (docs/numeric-rule.md).
  add_custom_command(
    OUTPUT posse_cuda.so
    COMMAND ${POSSE_NVCC} -arch=${POSSE_CUDA_ARCHITECTURE} -O3 -fmad=false -shared -Xcompiler -fPIC,-fvisibility=hidden
            -I${PROJECT_SOURCE_DIR}/lib -I${PROJECT_SOURCE_DIR}/include -o posse_cuda.so
            ${PROJECT_SOURCE_DIR}/lib/abreast/device/cuda.cu
    DEPENDS ${device} lib/numeric/wide.h lib/numeric/elementary_wide.h lib/random/philox.h lib/random/philox_wide.h
    VERBATIM
    COMMENT "Building posse_cuda.so")
  add_custom_target(posse_cuda ALL DEPENDS posse_cuda.so)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/posse_cuda.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/posse)
endif()
