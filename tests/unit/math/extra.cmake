find_library(GSIM_MPFR mpfr REQUIRED)
find_library(GSIM_GMP gmp REQUIRED)
target_link_libraries(test_math PRIVATE ${GSIM_MPFR} ${GSIM_GMP})
