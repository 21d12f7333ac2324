# Compare prices with published values at the quick accuracy. Only scripts/test --full runs the full validation.
if(NOT GSIM_SANITIZE AND TARGET gsim_cli)
  add_test(NAME validation.pricing.quick COMMAND gsim_cli validate pricing --quick)
  set_tests_properties(validation.pricing.quick PROPERTIES TIMEOUT 900 LABELS validation RUN_SERIAL ON)
  add_test(NAME validation.pricing.full COMMAND gsim_cli validate pricing --full)
  set_tests_properties(validation.pricing.full PROPERTIES
    TIMEOUT 10800 LABELS "validation;full" RUN_SERIAL ON)
endif()
