# Settings of nvcc for gsim's own build and for builds of plugins. They are macros, because they set variables of the
# calling folder.

# Unless it is set, CMAKE_CUDA_COMPILER is also searched in the default folder of the toolkit.
macro(gsim_find_nvcc)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(GSIM_NVCC nvcc PATHS /usr/local/cuda/bin)
    if(GSIM_NVCC)
      set(CMAKE_CUDA_COMPILER ${GSIM_NVCC})
    endif()
  endif()
endmacro()

# Selects the CUDA runtime library that programs are linked with, `static` or `shared`: GSIM_CUDART is its target, which
# find_package(CUDAToolkit) defines. Call before enable_language(CUDA).
macro(gsim_select_cuda_runtime kind)
  if("${kind}" STREQUAL shared)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
    set(GSIM_CUDART CUDA::cudart)
  else()
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    set(GSIM_CUDART CUDA::cudart_static)
  endif()
endmacro()

# CMake 3.25 has no C++20 mode for nvcc. Call after enable_language(CUDA).
macro(gsim_enable_nvcc_cxx20)
  foreach(mode STANDARD EXTENSION)
    if(NOT CMAKE_CUDA20_${mode}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${mode}_COMPILE_OPTION "-std=c++20")
    endif()
  endforeach()
endmacro()
