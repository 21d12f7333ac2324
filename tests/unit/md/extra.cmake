# Some tests compute the systems of validation/md.
target_compile_definitions(test_md PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
