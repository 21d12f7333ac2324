# Tests of the compiled kernels of every gsim_add_kernels call so far.
#   kernels.symbols  no two targets, and no target and the library, share weak code
#   kernels.ptx      no strict kernel has approximate or contracted operations, operations that flush subnormals to
#                    zero, or floating-point atomics, whose order is undefined
#   kernels.resources  no kernel needs more registers, stack or code than tests/kernels/resources.txt says, and none spills
#                    registers that tests/kernels/spills.txt does not name
get_property(kernel_objects GLOBAL PROPERTY GSIM_KERNEL_OBJECTS)
set(library $<FILTER:$<TARGET_OBJECTS:gsim>,EXCLUDE,[.]gch$>)  # precompiled headers are not objects
set(lines "library=$<JOIN:${library},\nlibrary=>\n")
foreach(objects IN LISTS kernel_objects)
  string(REGEX REPLACE ".*_" "" target ${objects})
  string(APPEND lines "${target}=$<JOIN:$<TARGET_OBJECTS:${objects}>,\n${target}=>\n")
endforeach()
set(list ${CMAKE_CURRENT_BINARY_DIR}/kernel_objects.txt)
file(GENERATE OUTPUT ${list} CONTENT "${lines}")
set(check ${PROJECT_SOURCE_DIR}/scripts/check_kernel_symbols)
add_test(NAME kernels.symbols COMMAND ${check} @${list})
# Tests the check itself: it must report an object with weak code that is listed under two targets.
add_test(NAME kernels.symbols.reports_shared_code COMMAND ${check}
  base=$<TARGET_OBJECTS:gsim_test_main> avx2=$<TARGET_OBJECTS:gsim_test_main>)
set_tests_properties(kernels.symbols.reports_shared_code PROPERTIES PASS_REGULAR_EXPRESSION "shared weak code")

if(GSIM_HAS_CUDA AND CMAKE_GENERATOR MATCHES "Ninja|Makefiles")  # these generators write compile commands
  set(ptx ${PROJECT_SOURCE_DIR}/scripts/check_ptx ${CMAKE_BINARY_DIR}/compile_commands.json)
  add_test(NAME kernels.ptx COMMAND ${ptx})
  # The table is that of nvcc 13.0 for sm_90; for other architectures the test would compare different code.
  if(CMAKE_CUDA_ARCHITECTURES MATCHES "^90(-virtual)?$")
    add_test(NAME kernels.resources COMMAND ${PROJECT_SOURCE_DIR}/scripts/check_kernel_resources
      ${CMAKE_BINARY_DIR}/compile_commands.json ${PROJECT_SOURCE_DIR}/tests/kernels/resources.txt
      --compiler ${CMAKE_CUDA_COMPILER_VERSION} --spills ${PROJECT_SOURCE_DIR}/tests/kernels/spills.txt)
  endif()
  # Tests the check itself: the fast kernels use hardware approximations.
  add_test(NAME kernels.ptx.reports_approximations COMMAND ${ptx} --only paths_f32_fast --expect-findings)
endif()
