# The command line is a program, not a library: its testable parts are compiled in.
target_sources(test_app PRIVATE ${PROJECT_SOURCE_DIR}/src/app/validation/case_set.cpp
  ${PROJECT_SOURCE_DIR}/src/app/validation/runner.cpp
  ${PROJECT_SOURCE_DIR}/src/app/validation/report.cpp)
target_include_directories(test_app PRIVATE ${PROJECT_SOURCE_DIR}/src/app)
target_compile_definitions(test_app PRIVATE GSIM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
