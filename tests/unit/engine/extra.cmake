target_sources(test_engine PRIVATE ${PROJECT_SOURCE_DIR}/tests/support/toy_sampler.cpp
                                   ${PROJECT_SOURCE_DIR}/tests/support/toy_walkers.cpp)
