#include "gsim/core/ordered_real.hpp"
#include "gsim/exec/exact_reduce.hpp"
#include "gsim/exec/real_reduce.hpp"
#include "tests/unit/exec/launch_kernels.hpp"

GSIM_TARGET_BEGIN

struct Polynomial {
  View<const double> x;
  View<double> out;
  GSIM_HD void operator()(Index i) const {
    const double v = x[i];
    // a * b + c has two roundings: a contracted form would differ in about every second value
    double sum = v * v + 0.1;
    for (int k = 0; k < 20; ++k) sum = sum * v + 1.0 / (k + 3);
    // At most half of the smallest normal number: zero if subnormals are flushed. Then times
    // 2^1022.
    const double tiny = (v + 1.0) * 2.2250738585072014e-308 * 0.25;
    out[i] = sum + tiny * 4.49423283715579e+307;
  }
};

// Preprocessor conditions give each target its own code, as do vector widths in real kernels.
#if defined(__CUDACC__)
constexpr int target_number = 3;
#elif defined(__AVX512F__)
constexpr int target_number = 2;
#elif defined(__AVX2__)
constexpr int target_number = 1;
#else
constexpr int target_number = 0;
#endif

struct ReportTarget {
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

struct RealSums {
  View<const double> x, y;
  GSIM_HD void operator()(Index i, RealTerms<3>& sum) const {
    sum.add(0, x[i]);
    sum.add_product(1, x[i], y[i]);
    sum.add_square(2, y[i]);
  }
};

struct RealKeys {
  View<const double> x;
  GSIM_HD void operator()(Index i, std::int64_t* key) const {
    key[0] = key_of_minimum(x[i]);
    key[1] = key_of_maximum(x[i]);
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

GSIM_DEFINE_LAUNCHER(test_report_target, test::ReportTargetArgs) {
  launch(executor, "test report target", args.out.size, ReportTarget{args.out});
}

GSIM_DEFINE_LAUNCHER(test_exact_reduce, test::ExactReduceArgs) {
  const TwoTerms terms{args.word};
  if (args.totals != nullptr)
    exact_reduce_to<2>(executor, "test exact reduce to", args.word.size, terms, args.totals);
  else
    exact_reduce<2>(executor, "test exact reduce", args.word.size, terms, args.sums);
}

GSIM_DEFINE_LAUNCHER(test_real_reduce, test::RealReduceArgs) {
  real_reduce<3>(executor, "test real reduce", args.x.size, RealSums{args.x, args.y}, args.sums,
                 128);
  min_reduce<2>(executor, "test min reduce", args.x.size, RealKeys{args.x}, args.minima, 128);
}
