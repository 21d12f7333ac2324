# Payoffs and path models of plugins, compiled in.
gsim_add_kernels(test_pricing SOURCES ${PROJECT_SOURCE_DIR}/tests/plugin/copies/copies.cu HOST_ONLY)
# Curves and calendars are compared with QuantLib's.
if(GSIM_QUANTLIB_FOUND)
  target_include_directories(test_pricing SYSTEM PRIVATE ${GSIM_QUANTLIB_INCLUDE})
  target_link_libraries(test_pricing PRIVATE ${GSIM_QUANTLIB_LIBRARY})
  add_dependencies(test_pricing gsim_dates)
endif()
# Files of Open Source Risk Engine, of which examples/ore has some.
if(GSIM_PUGIXML_FOUND)
  add_dependencies(test_pricing gsim_xml)
  file(GLOB ore_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/pricing/ore/quantlib_ore_*.cpp)
  set_source_files_properties(${ore_tests} PROPERTIES COMPILE_DEFINITIONS GSIM_EXAMPLES="${PROJECT_SOURCE_DIR}/examples")
endif()
# The names of payoff formulas and schemes that kernels/pricing/CMakeLists.txt lists.
target_include_directories(test_pricing PRIVATE ${GSIM_GENERATED_DIR})
