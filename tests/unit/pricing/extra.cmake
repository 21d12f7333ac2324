# Payoffs and path models of plugins, compiled in.
gsim_add_kernels(test_pricing SOURCES ${PROJECT_SOURCE_DIR}/tests/plugin/copies/copies.cu)
