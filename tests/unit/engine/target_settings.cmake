target_sources(test_engine PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/test_modules/pi_sampler.cpp
                                   ${PROJECT_SOURCE_DIR}/tests/support/test_modules/lattice_walkers.cpp)
# A plugin for tests within one process.
add_library(gsim_test_plugin MODULE ${PROJECT_SOURCE_DIR}/tests/plugin/probe/probe.cpp)
target_link_libraries(gsim_test_plugin PRIVATE gsim gsim_flags)
target_compile_definitions(gsim_test_plugin PRIVATE GSIM_PLUGIN_SDK="${GSIM_SDK}"
  GSIM_PLUGIN_ARITHMETIC="${GSIM_ARITHMETIC}" GSIM_PLUGIN_LEVELS="${GSIM_COMPILED_LEVEL_NAMES}")
add_dependencies(test_engine gsim_test_plugin)
target_compile_definitions(test_engine PRIVATE
  GSIM_TEST_PLUGIN="$<TARGET_FILE:gsim_test_plugin>")
# In the place of the driver's library for utilisation and energy of GPUs.
add_library(gsim_stand_in_nvml MODULE ${PROJECT_SOURCE_DIR}/tests/support/stand_in_nvml.cpp)
add_dependencies(test_engine gsim_stand_in_nvml)
target_compile_definitions(test_engine PRIVATE
  GSIM_STAND_IN_NVML="$<TARGET_FILE:gsim_stand_in_nvml>")
