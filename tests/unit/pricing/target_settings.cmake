# Payoffs and path models of plugins, compiled in.
gsim_add_kernels(test_pricing SOURCES ${PROJECT_SOURCE_DIR}/tests/plugin/copies/copies.cu HOST_ONLY)
# The names of payoff formulas and schemes that kernels/pricing/CMakeLists.txt lists.
target_include_directories(test_pricing PRIVATE ${GSIM_GENERATED_DIR})
