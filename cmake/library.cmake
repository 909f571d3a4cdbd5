# SPDX-License-Identifier: MIT
# The library: posse_shared, posse_static, and posse_internal, which has its objects and internal headers for tests.

# Sources are found by pattern, so that a new learner is one new file.
file(GLOB sources CONFIGURE_DEPENDS lib/*/*.c)
file(GLOB single_run_kernels CONFIGURE_DEPENDS lib/kernel/*.c)
list(REMOVE_ITEM sources ${single_run_kernels})
file(GLOB abreast_kernels CONFIGURE_DEPENDS lib/abreast/kernel/*.c)
set(kernel_sources ${single_run_kernels} ${abreast_kernels})

add_library(posse_objects OBJECT ${sources})
# Loops that gain from a vector unit are kernels. All others run over a few arms or learners, and the checks before a
# vectorised loop would cost more than the loop.
target_compile_options(posse_objects PRIVATE -fno-tree-vectorize)
set(object_libraries posse_objects)

# Kernels are compiled once for each instruction set. The fastest set that the processor supports is chosen at run time.
set(kernel_sets scalar baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND NOT POSSE_FEW_KERNELS)
  list(APPEND kernel_sets avx2 avx512)
  set(flags_avx2 -mavx2)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw)
endif()
foreach(set IN LISTS kernel_sets)
  add_library(kernel_${set} OBJECT ${kernel_sources})
  target_compile_definitions(kernel_${set} PRIVATE KERNEL_SET=${set})
  target_compile_options(kernel_${set} PRIVATE ${flags_${set}})
  list(APPEND object_libraries kernel_${set})
endforeach()

add_library(posse_internal INTERFACE)
target_include_directories(posse_internal INTERFACE include lib)
target_link_libraries(posse_internal INTERFACE m)
foreach(library IN LISTS object_libraries)
  target_include_directories(${library} PRIVATE include lib)
  target_link_libraries(${library} PRIVATE posse_warnings_strict)
  list(APPEND objects $<TARGET_OBJECTS:${library}>)
endforeach()
target_sources(posse_internal INTERFACE ${objects})

# While the major version is 0, a new minor version may be incompatible.
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(abi_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
  set(abi_version ${PROJECT_VERSION_MAJOR})
endif()

# Applications call it posse::posse. The plain name posse is that of the program's file.
add_library(posse_shared SHARED ${objects})
set_target_properties(posse_shared PROPERTIES OUTPUT_NAME posse EXPORT_NAME posse VERSION ${PROJECT_VERSION}
                                              SOVERSION ${abi_version} LINKER_LANGUAGE C)
target_link_libraries(posse_shared PRIVATE m)
if(NOT checks) # with a sanitizer, the program has its run-time library
  target_link_options(posse_shared PRIVATE -Wl,-z,defs)
endif()

# Internal functions have short names (belief_update) and are hidden. That is enough in a shared library, but in an
# archive of plain objects they are still global and could collide with functions of the application. So the archive has
# one object, linked from all of them, in which hidden functions are local. Instrumented builds keep separate objects,
# because no application links against them.
if(checks OR POSSE_COVERAGE)
  set(archived ${objects})
else()
  set(archived ${PROJECT_BINARY_DIR}/posse.o)
  add_custom_command(
    OUTPUT ${archived}
    COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${archived} ${objects}
    COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${archived}
    DEPENDS ${objects}
    COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Linking the objects of libposse.a into one")
  set_source_files_properties(${archived} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
endif()
add_library(posse_static STATIC ${archived})
add_dependencies(posse_static ${object_libraries}) # make, unlike ninja, does not know which targets make the objects
set_target_properties(posse_static PROPERTIES OUTPUT_NAME posse LINKER_LANGUAGE C)
target_link_libraries(posse_static INTERFACE m)

add_library(posse::posse ALIAS posse_shared)
add_library(posse::posse_static ALIAS posse_static)
foreach(library posse_shared posse_static)
  target_include_directories(${library} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                                  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()
