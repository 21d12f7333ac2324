gsim_add_kernels(test_exec SOURCES ${CMAKE_CURRENT_LIST_DIR}/launch_kernels.cu ALL_LEVELS)
