# Compare prices with published values at the quick accuracy. Only scripts/test --full runs the full validation.
if(NOT GSIM_SANITIZE AND TARGET gsim_cli)
  # The sets that take most of the time are left to validation.pricing.full. Their processes (Heston's variance, jumps, local
  # volatility) are in other sets, too.
  set(long_sets bates heston_andersen_2_3 heston_fang_oosterlee heston_lewis local_vol_cev_half local_vol_cev_quarter merton_haug
    variance_swap_heston)
  file(GLOB sets CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/validation/pricing/*.toml)
  set(quick_sets "")
  foreach(set IN LISTS sets)
    get_filename_component(set ${set} NAME_WE)
    if(NOT set IN_LIST long_sets)
      list(APPEND quick_sets --only ${set})
    endif()
  endforeach()
  add_test(NAME validation.pricing.quick COMMAND gsim_cli validate pricing --quick ${quick_sets})
  set_tests_properties(validation.pricing.quick PROPERTIES TIMEOUT 900 LABELS validation PROCESSORS 2 COST 40)
  add_test(NAME validation.pricing.full COMMAND gsim_cli validate pricing --full)
  # Of the prices with early exercise, those that take a second, and value at risk.
  add_test(NAME validation.risk.quick COMMAND gsim_cli validate risk --quick --only bermudan_max_call --only var_normal
    --only var_linear_portfolio --only var_short_option
    --only exposure_profile --only exposure_exchange --only swaptions --only cva_swap)
  add_test(NAME validation.risk.all COMMAND gsim_cli validate risk --quick)
  set_tests_properties(validation.risk.quick PROPERTIES TIMEOUT 300 LABELS validation)
  set_tests_properties(validation.risk.all PROPERTIES TIMEOUT 1800 LABELS "validation;full" RUN_SERIAL ON)
  set_tests_properties(validation.pricing.full PROPERTIES
    TIMEOUT 10800 LABELS "validation;full" RUN_SERIAL ON)
endif()
