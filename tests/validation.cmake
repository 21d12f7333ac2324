# Published values at quick accuracy; the full suite runs by `gsim validate --full`, outside CI.
if(NOT GSIM_SANITIZE)
  add_test(NAME validation.pricing.quick COMMAND gsim_cli validate pricing --quick)
  set_tests_properties(validation.pricing.quick PROPERTIES TIMEOUT 1500 LABELS validation RUN_SERIAL ON)
endif()
