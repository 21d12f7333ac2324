#include "gsim/exec/exact_reduce.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

GSIM_TARGET_BEGIN

struct Polynomial {
  View<const double> x;
  View<double> out;
  GSIM_HD void operator()(Index i) const {
    const double v = x[i];
    // a * b + c stays two roundings: a contracted form would differ in about every second value
    double sum = v * v + 0.1;
    for (int k = 0; k < 20; ++k) sum = sum * v + 1.0 / (k + 3);
    // The smallest normal number halved: zero where denormals are flushed.
    const double tiny = (v + 1.0) * 2.2250738585072014e-308 * 0.25;
    out[i] = sum + tiny * 4.49423283715579e+307;
  }
};

// Distinct preprocessor words give each target its own code, as real kernels' vector widths do.
#if defined(__CUDACC__)
constexpr int target_number = 3;
#elif defined(__AVX512F__)
constexpr int target_number = 2;
#elif defined(__AVX2__)
constexpr int target_number = 1;
#else
constexpr int target_number = 0;
#endif

struct WhoAmI {
  View<int> out;
  GSIM_HD void operator()(Index i) const { out[i] = target_number; }
};

struct TwoTerms {
  View<const std::int64_t> word;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    term[0] = word[i];
    term[1] = ~word[i] >> 1;
  }
};

GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(test_polynomial, test::PolynomialArgs) {
  const Polynomial functor{args.x, args.out};
#if defined(__CUDACC__)
  launch(executor, "test polynomial", args.x.size, functor);
#else
  launch(executor, "test polynomial", args.x.size, functor, args.grain);
#endif
}

GSIM_DEFINE_LAUNCHER(test_who_am_i, test::WhoAmIArgs) {
  launch(executor, "test who am I", args.out.size, WhoAmI{args.out});
}

GSIM_DEFINE_LAUNCHER(test_exact_reduce, test::ExactReduceArgs) {
  exact_reduce<2>(executor, "test exact reduce", args.word.size, TwoTerms{args.word}, args.sums);
}
