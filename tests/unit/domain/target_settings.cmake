gsim_add_kernels(test_domain SOURCES ${CMAKE_CURRENT_LIST_DIR}/fields/cell_loop_kernels.cu ALL_LEVELS)
