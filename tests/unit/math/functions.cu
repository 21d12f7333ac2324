#include "functions.hpp"

GSIM_TARGET_BEGIN

/// Fills the tables of doubles with packs D, and those of floats with packs F.
template <class D, class F>
void fill_functions(const Executor& executor, const FunctionArgs& args) {
  launch(executor, "functions of doubles", args.doubles.count / lanes_of<D>,
         FillFunctions<D>{args.doubles});
  launch(executor, "functions of floats", args.floats.count / lanes_of<F>,
         FillFunctions<F>{args.floats});
}

GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(strict_functions, FunctionArgs) {
  using namespace gsim;
#if defined(GSIM_AVX2)
  if (args.width == 8) return fill_functions<Pack<double, 8>, Pack<float, 8>>(executor, args);
  if (args.width == 16) return fill_functions<Pack<double, 16>, Pack<float, 16>>(executor, args);
#elif !defined(__CUDACC__)
  if (args.width == 4) return fill_functions<Pack<double, 2>, Pack<float, 4>>(executor, args);
#endif
  fill_functions<double, float>(executor, args);
}
