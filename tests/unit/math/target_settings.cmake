find_library(GSIM_MPFR mpfr REQUIRED)
find_library(GSIM_GMP gmp REQUIRED)
target_link_libraries(test_math PRIVATE ${GSIM_MPFR} ${GSIM_GMP})

# The functions are compiled for each CPU level and for CUDA; the tests compare their results bit for bit.
gsim_add_kernels(test_math SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/math/functions.cu ALL_LEVELS)
target_compile_definitions(test_math PRIVATE
  GSIM_MATH_DIGESTS="${PROJECT_SOURCE_DIR}/validation/digests/math.txt")
