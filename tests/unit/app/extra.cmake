# The command line is a library of its own, which is not part of the public one.
target_link_libraries(test_app PRIVATE gsim_app)
target_compile_definitions(test_app PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
