# Some tests read the data files of validation/md.
target_compile_definitions(test_md PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
