# Where a CUDA toolkit is installed, the tests compare with the device code of its cuRAND headers;
# no CUDA library is linked for that.
find_path(GSIM_CURAND_INCLUDE curand_kernel.h
  HINTS ${CUDAToolkit_INCLUDE_DIRS} /usr/local/cuda/include /usr/local/cuda/targets/x86_64-linux/include)
if(GSIM_CURAND_INCLUDE)
  set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/random/reference_curand.cpp PROPERTIES
    COMPILE_OPTIONS "-isystem${GSIM_CURAND_INCLUDE};-isystem${GSIM_CURAND_INCLUDE}/cccl")
endif()

# The random numbers are computed once per CPU level and with CUDA, and compared bit for bit.
gsim_add_kernels(test_random SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/random/lanes.cu ALL_LEVELS)
target_compile_definitions(test_random PRIVATE
  GSIM_RANDOM_DIGESTS="${PROJECT_SOURCE_DIR}/validation/digests/random.txt")
