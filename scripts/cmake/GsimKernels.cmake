# gsim_add_kernels(TARGET SOURCES a.cu … [INCLUDES FOLDER …] [ALL_LEVELS] [HOST_ONLY])
# Compiles each kernel source once per target: for every level of GSIM_COMPILED_LEVELS by the host
# compiler (through a one-line .cpp that includes the .cu, since CMake's LANGUAGE is per source) and by
# nvcc. Generated sources are in GSIM_GENERATED_DIR, in the same folders as other sources are in
# the source tree.
#   INCLUDES    further include folders
#   ALL_LEVELS  for tests that compare every level that the processor runs
#   HOST_ONLY   for kernels that are not compiled for CUDA
set(GSIM_GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
set(GSIM_LEVEL_FLAGS_base "")
set(GSIM_LEVEL_FLAGS_avx2 -march=x86-64-v3)
set(GSIM_LEVEL_FLAGS_avx512 -march=x86-64-v4 -mprefer-vector-width=512)

# Kernels are inlined into a few huge functions, whose instrumentation takes GCC minutes. One call per checked access is
# enough, and accesses that the address sanitizer checks are not checked twice.
if(GSIM_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  set(GSIM_KERNEL_SANITIZE_FLAGS "SHELL:--param asan-instrumentation-with-call-threshold=0"
    -fno-sanitize-address-use-after-scope -fno-sanitize=null,alignment,object-size)
  # With packs of many small registers the undefined-behaviour sanitizer costs GCC five minutes per file; other levels
  # check the same source.
  set(GSIM_KERNEL_SANITIZE_FLAGS_base -fno-sanitize=undefined)
endif()

# gsim_kernel_headers_<level>: the headers that nearly all kernels include, precompiled once per level.
function(gsim_kernel_headers level)
  set(id gsim_kernel_headers_${level})
  if(NOT TARGET ${id})
    set(cpp ${GSIM_GENERATED_DIR}/${id}.cpp)
    file(CONFIGURE OUTPUT ${cpp} CONTENT "// Compiled with the headers that kernels share.\n" @ONLY)
    add_library(${id} OBJECT ${cpp})
    gsim_compile_for(${id} ${level})
    gsim_precompile(${id} <cstddef> <cstdint> <type_traits> <utility> <gsim/core/exact_sum.hpp>
      <gsim/exec/exact_reduce.hpp> <gsim/exec/launch.hpp> <gsim/exec/view.hpp> <gsim/math/elementary.hpp>
      <gsim/math/pack.hpp> <gsim/random/philox.hpp>)
  endif()
endfunction()

# Flags and include folders of host kernels of a level.
function(gsim_compile_for id level)
  target_compile_definitions(${id} PRIVATE GSIM_TARGET=${level})
  target_compile_options(${id} PRIVATE ${GSIM_LEVEL_FLAGS_${level}}
    ${GSIM_KERNEL_SANITIZE_FLAGS} ${GSIM_KERNEL_SANITIZE_FLAGS_${level}})
  target_include_directories(${id} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
  target_link_libraries(${id} PRIVATE gsim_flags)
endfunction()

function(gsim_add_kernels target)
  cmake_parse_arguments(arg "ALL_LEVELS;HOST_ONLY" "" "INCLUDES;SOURCES" ${ARGN})
  set(levels ${GSIM_COMPILED_LEVELS})
  if(arg_ALL_LEVELS)
    set(levels ${GSIM_ALL_LEVELS})
  endif()
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path ${source} ABSOLUTE)
    set(root ${PROJECT_SOURCE_DIR})
    string(FIND "${path}" "${GSIM_GENERATED_DIR}/" at)
    if(at EQUAL 0)
      set(root ${GSIM_GENERATED_DIR})
    endif()
    file(RELATIVE_PATH relative ${root} ${path})
    string(REGEX REPLACE "[^A-Za-z0-9]" "_" id ${relative})
    foreach(level IN LISTS levels)
      set(cpp ${CMAKE_CURRENT_BINARY_DIR}/${id}.${level}.cpp)
      file(CONFIGURE OUTPUT ${cpp} CONTENT "#include \"${relative}\"\n" @ONLY)
      add_library(${id}_${level} OBJECT ${cpp})
      gsim_compile_for(${id}_${level} ${level})
      target_include_directories(${id}_${level} PRIVATE ${root} ${arg_INCLUDES})
      if(GSIM_PRECOMPILE)  # not for kernels of plugins
        gsim_kernel_headers(${level})
        gsim_precompile(${id}_${level} REUSE_FROM gsim_kernel_headers_${level})
        # GCC 12 warns about its own intrinsics when they are precompiled.
        target_compile_options(${id}_${level} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)
      endif()
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${id}_${level}>)
      set_property(GLOBAL APPEND PROPERTY GSIM_KERNEL_OBJECTS ${id}_${level})
    endforeach()
    if(GSIM_HAS_CUDA AND NOT arg_HOST_ONLY)
      add_library(${id}_cuda OBJECT ${path})
      target_compile_definitions(${id}_cuda PRIVATE GSIM_TARGET=cuda)
      target_include_directories(${id}_cuda PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR} ${root}
        ${arg_INCLUDES})
      target_link_libraries(${id}_cuda PRIVATE gsim_flags)
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${id}_cuda>)
      target_link_libraries(${target} PRIVATE ${GSIM_CUDART})
      set_property(GLOBAL APPEND PROPERTY GSIM_KERNEL_OBJECTS ${id}_cuda)
    endif()
  endforeach()
endfunction()
