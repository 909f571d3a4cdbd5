# SPDX-License-Identifier: MIT
# posse_cuda.so: runs on a GPU. It is built where nvcc is found, and loaded at run time by `posse run --device gpu`. No
# other target depends on it. Where clang is found, too, it has the whole library, compiled for the GPU; otherwise it
# plays only what the loops of lib/abreast/device/play.h can.

option(POSSE_CUDA "Build posse_cuda.so, if nvcc is found" ON)
set(POSSE_CUDA_ARCHITECTURE sm_90 CACHE STRING "The GPU that posse_cuda.so is built for, as nvcc -arch takes it")
find_program(POSSE_NVCC nvcc HINTS /usr/local/cuda/bin DOC "The compiler of CUDA")
find_program(POSSE_CLANG clang DOC "A compiler of C for GPUs")
find_program(POSSE_LLVM_LINK llvm-link DOC "The linker of LLVM")
find_program(POSSE_LLVM_OPT opt DOC "The optimiser of LLVM")
find_program(POSSE_LLC llc DOC "The code generator of LLVM")

if(NOT POSSE_CUDA OR NOT POSSE_NVCC OR checks OR POSSE_COVERAGE)
  return()
endif()

# -fmad=false: a * b + c is rounded twice, as on every processor (docs/numeric-rule.md).
set(device ${PROJECT_SOURCE_DIR}/lib/abreast/device)
set(includes -I${PROJECT_SOURCE_DIR}/lib -I${PROJECT_SOURCE_DIR}/include)
set(nvcc ${POSSE_NVCC} -arch=${POSSE_CUDA_ARCHITECTURE} -O3 -fmad=false -Xcompiler -fPIC,-fvisibility=hidden)
file(GLOB device_sources CONFIGURE_DEPENDS lib/abreast/device/*)

if(POSSE_CLANG AND POSSE_LLVM_LINK AND POSSE_LLVM_OPT AND POSSE_LLC)
  # The sources of the library, without files, texts, vectors and tables, in whose place surroundings.c is. LLVM compiles them
  # to PTX, the assembly language of these GPUs: for sm_80, the newest one that all versions of LLVM since 14 know.
  set(clang ${CMAKE_C_COMPILER_LAUNCHER} ${POSSE_CLANG} --target=nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_80
            -Xclang -target-feature -Xclang +ptx75 -isystem /usr/include -isystem
            /usr/include/${CMAKE_LIBRARY_ARCHITECTURE} -D__x86_64__ -std=gnu17 -O2 -Xclang -disable-llvm-passes
            -ffp-contract=off -fno-math-errno -w ${includes} -include ${device}/plain.h -DKERNEL_SET=scalar -emit-llvm)
  set(library ${sources} ${single_run_kernels} ${device}/library.c ${device}/surroundings.c)
  list(FILTER library EXCLUDE REGEX
       "lib/(data|prior)/|lib/abreast/[a-z]*\\.c|/(format|shared_table|kernels|log|table|worlds)\\.c$")
  file(GLOB_RECURSE library_headers CONFIGURE_DEPENDS lib/*.h include/*.h)
  foreach(source IN LISTS library)
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
    string(REPLACE "/" "_" file ${name})
    set(bitcode ${PROJECT_BINARY_DIR}/cuda/${file}.bc)
    add_custom_command(OUTPUT ${bitcode} COMMAND ${clang} -c ${source} -o ${bitcode}
                       DEPENDS ${source} ${library_headers} VERBATIM COMMENT "Compiling ${name} for a GPU")
    list(APPEND bitcodes ${bitcode})
  endforeach()
  # deadargelim removes the `...` of functions that no longer read their arguments, since GPUs have none. LLVM 14 to 16
  # list passes in the old way, which newer ones have not.
  file(WRITE ${PROJECT_BINARY_DIR}/cuda/empty.ll "")
  execute_process(COMMAND ${POSSE_LLVM_OPT} -enable-new-pm=0 -globaldce ${PROJECT_BINARY_DIR}/cuda/empty.ll -o /dev/null
                  RESULT_VARIABLE no_old_passes OUTPUT_QUIET ERROR_QUIET)
  if(no_old_passes)
    set(passes "-passes=internalize,globaldce,deadargelim,default<O2>")
  else()
    set(passes -enable-new-pm=0 -internalize -globaldce -deadargelim -O2)
  endif()
  # Loops that copy words must not become memcpy again, which is byte by byte (abreast/device/plain.h).
  add_custom_command(
    OUTPUT cuda/library.cubin
    COMMAND ${POSSE_LLVM_LINK} ${bitcodes} -o cuda/linked.bc
    COMMAND ${POSSE_LLVM_OPT} ${passes} -disable-loop-idiom-all -internalize-public-api-list=library_open,library_play
            cuda/linked.bc -o cuda/library.bc
    COMMAND ${POSSE_LLC} -march=nvptx64 -mcpu=sm_80 -mattr=+ptx75 -fp-contract=off cuda/library.bc -o cuda/library.ptx
    COMMAND ${nvcc} -dc -cubin -maxrregcount=128 cuda/library.ptx -o cuda/library.cubin
    DEPENDS ${bitcodes}
    VERBATIM
    COMMENT "Compiling the library for a GPU")
  # nvlink warns that the depth of its stack is not known, since parts are called by pointers.
  add_custom_command(
    OUTPUT cuda/image.o
    COMMAND ${nvcc} -dc -cubin ${includes} ${device}/library.cu -o cuda/kernels.cubin
    COMMAND ${nvcc} -cubin -dlink -Xnvlink --suppress-stack-size-warning cuda/kernels.cubin cuda/library.cubin
            -o cuda/image.cubin
    COMMAND ${CMAKE_C_COMPILER} -c -DIMAGE="cuda/image.cubin" ${device}/image.S -o cuda/image.o
    DEPENDS cuda/library.cubin ${device_sources}
    VERBATIM
    COMMENT "Linking the library for a GPU")
  set(with_library -DPOSSE_WITH_LIBRARY)
  set(image cuda/image.o)
endif()

add_custom_command(
  OUTPUT posse_cuda.so
  COMMAND ${nvcc} ${with_library} ${includes} -shared ${device}/cuda.cu ${image} -o posse_cuda.so
  DEPENDS ${device_sources} ${image} lib/numeric/wide.h lib/numeric/elementary_wide.h lib/random/philox.h
          lib/random/philox_wide.h
  VERBATIM
  COMMENT "Building posse_cuda.so")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/cuda)
add_custom_target(posse_cuda ALL DEPENDS posse_cuda.so)
install(PROGRAMS ${PROJECT_BINARY_DIR}/posse_cuda.so DESTINATION ${CMAKE_INSTALL_LIBDIR}/posse)
