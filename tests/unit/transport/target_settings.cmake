# Some tests read the material data of validation/transport.
target_compile_definitions(test_transport PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
# Tests decode the PNG pictures that gsim writes.
target_link_libraries(test_transport PRIVATE PNG::PNG)
# The functors of tally filters are listed by the build (kernels/transport/CMakeLists.txt).
target_include_directories(test_transport PRIVATE ${GSIM_GENERATED_DIR})
