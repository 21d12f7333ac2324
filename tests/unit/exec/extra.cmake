gsim_add_kernels(test_exec SOURCES ${CMAKE_CURRENT_LIST_DIR}/launch_kernels.cu)

if(GSIM_SANITIZE)  # tests ask for more memory than there is, and expect to be told
  set_tests_properties(unit.exec PROPERTIES ENVIRONMENT
    "ASAN_OPTIONS=allocator_may_return_null=1;TSAN_OPTIONS=allocator_may_return_null=1")
endif()
