# The command line is the library gsim_app, which is not part of libgsim.
target_link_libraries(test_app PRIVATE gsim_app)
target_compile_definitions(test_app PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
