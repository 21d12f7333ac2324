#pragma once
// Selects the specialisation of SchemeOf for a StepScheme that is known at run time only.

#include "kernels/pricing/path_models/list.hpp"  // written by the build

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Calls use(SchemeOf<scheme>{}). For StepScheme::launched nothing is called.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable  // host code calls with_scheme() with functions of the host
#endif
template <class Use>
GSIM_HD void with_scheme(StepScheme scheme, const Use& use) {
  switch (scheme) {
#define GSIM_CASE(name)                \
  case StepScheme::name:               \
    use(SchemeOf<StepScheme::name>{}); \
    return;
    GSIM_STEP_SCHEMES(GSIM_CASE)
#undef GSIM_CASE
    case StepScheme::launched:
      return;
  }
}

template <StepScheme scheme>
GSIM_HD constexpr StepScheme value_of(SchemeOf<scheme>) {
  return scheme;
}

/// Whether a scheme has a separate loop for runs of a single asset.
template <class Scheme>
concept HasOneAssetLoop = requires {
  typename Scheme::template OneAsset<Strict, double, double>;
};

/// Normals per step of a scheme; 0 for StepScheme::launched, whose PathModelKind has the number.
GSIM_HD int normals_per_step(StepScheme scheme) {
  int normals = 0;
  with_scheme(scheme, [&](auto found) { normals = decltype(found)::normals; });
  return normals;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
