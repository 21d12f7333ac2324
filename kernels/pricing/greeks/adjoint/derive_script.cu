// The launchers of the derivatives of scripted payoffs.
#include "kernels/pricing/greeks/adjoint/derive_script.hpp"

GSIM_DEFINE_LAUNCHER(derive_script_f64_strict, pricing::ScriptDerivativesJob<double>) {
  pricing_kernels::derive_script<Strict>(executor, args);
}
GSIM_DEFINE_LAUNCHER(derive_script_f64_fast, pricing::ScriptDerivativesJob<double>) {
  pricing_kernels::derive_script<Fast>(executor, args);
}
