# What gsim's own build and that of plugins have to tell CMake of nvcc. Macros, for they set variables of
# the folder that calls them.

# CMAKE_CUDA_COMPILER, where nobody has said which, also from where the toolkit puts it by default.
macro(gsim_find_nvcc)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(GSIM_NVCC nvcc PATHS /usr/local/cuda/bin)
    if(GSIM_NVCC)
      set(CMAKE_CUDA_COMPILER ${GSIM_NVCC})
    endif()
  endif()
endmacro()

# CMake 3.25 knows no C++20 mode for nvcc. After enable_language(CUDA).
macro(gsim_teach_nvcc_cxx20)
  foreach(mode STANDARD EXTENSION)
    if(NOT CMAKE_CUDA20_${mode}_COMPILE_OPTION)
      set(CMAKE_CUDA20_${mode}_COMPILE_OPTION "-std=c++20")
    endif()
  endforeach()
endmacro()
