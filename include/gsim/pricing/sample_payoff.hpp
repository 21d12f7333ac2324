#pragma once
// Evaluation of one payoff on a tile of paths: the loops into which gsim's own payoffs and those of
// plugins (payoff_kind.hpp) are compiled. For kernel sources.

#include "gsim/pricing/lanes.hpp"
#include "gsim/pricing/payoff_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Writes the undiscounted payoffs of paths [first, last) of the tile, a whole number of packs P,
/// to `values`. This memory must not overlap the tile or `record`: compilers can then keep what
/// they load from these in registers. `record[i]` is the index in the tile of the record of fixing
/// i. Spots is the class through which the payoff reads the tile.
template <class P, class Spots, class T, class Payoff>
GSIM_HD void evaluate_payoffs(const Payoff& payoff, const std::int32_t* record,
                              std::int32_t fixings, const Tile<T>& tile, Index first, Index last,
                              T* __restrict values) {
  if constexpr (requires { Payoff::last_fixing_only; }) {
    const Index i = fixings - 1;
    const T* const row = tile.data + record[i] * tile.rows * tile.stride;
    for (Index path = first; path < last; path += lanes_of<P>) {
      auto state = payoff.start();
      payoff.on_fixing(state, i, Spots{TileSpots<P, T>{&tile, row + path}});
      store(values + (path - first), payoff.value(state));
    }
  } else {
    for (Index path = first; path < last; path += lanes_of<P>)
      store(values + (path - first),
            evaluate_payoff<P, Spots>(payoff, tile, record, fixings, path));
  }
}

#if defined(__CUDACC__)

/// Sample `i` of a payoff: the value of a path, or the mean over a path and its antithetic path.
template <class Policy, template <class, class, class> class Payoff, class T>
struct SamplePayoff {
  PayoffJob<T> job;

  GSIM_HD void operator()(Index i) const {
    const Payoff<Policy, T, T> payoff(job.terms);
    double value = 0;
    GSIM_NO_UNROLL
    for (int m = 0; m < (job.antithetic_offset > 0 ? 2 : 1); ++m) {
      const Index path = i + m * job.antithetic_offset;
      T path_value = 0;
      evaluate_payoffs<T, PluginSpots<T, T, reads_logs<Payoff<Policy, T, T>>()>>(
          payoff, job.record, job.terms.fixings, job.tile, path, path + 1, &path_value);
      const auto v = static_cast<double>(path_value);
      value = m == 0 ? v : 0.5 * (value + v);
    }
    job.sample[i] = job.discount * value;
  }
};

/// Computes all samples of a job, asynchronously on the executor's stream.
template <class Policy, template <class, class, class> class Payoff, class T>
void sample_payoff(const Executor& executor, const char* name, const char* label,
                   const PayoffJob<T>& job) {
  check_payoff(name, reads_logs<Payoff<Policy, T, T>>(), job.has_logs);
  launch(executor, label, job.samples, SamplePayoff<Policy, Payoff, T>{job});
}

#else

/// The group of paths on which payoffs are evaluated: two registers, whose additions overlap, since
/// each addition of a sum over fixings depends on the one before.
template <class T>
using PayoffGroup = Pack<T, 2 * lanes_of<packed<T>>>;

/// Discounts the paths' values to samples: each is the value of one path, or the mean over it and
/// its antithetic path, `antithetic_offset` paths further on (0: no antithetic paths).
template <class T>
inline void discount_samples(double discount, const T* values, Index count, Index antithetic_offset,
                             double* samples) {
  if (antithetic_offset == 0) {  // a separate loop, which compilers vectorise
    for (Index s = 0; s < count; ++s) samples[s] = discount * static_cast<double>(values[s]);
  } else {
    for (Index s = 0; s < count; ++s)
      samples[s] = discount * (0.5 * (static_cast<double>(values[s]) +
                                      static_cast<double>(values[s + antithetic_offset])));
  }
}

/// Computes all samples of a job, in the calling thread, which has its own tile.
template <class Policy, template <class, class, class> class Payoff, class T>
inline void sample_payoff(const Executor&, const char* name, const char* /*label*/,
                          const PayoffJob<T>& job) {
  using P = PayoffGroup<T>;
  using Functor = Payoff<Policy, P, T>;
  check_payoff(name, reads_logs<Functor>(), job.has_logs);
  const Functor payoff(job.terms);
  evaluate_payoffs<P, PluginSpots<P, T, reads_logs<Functor>()>>(
      payoff, job.record, job.terms.fixings, job.tile, 0, job.samples + job.antithetic_offset,
      job.values);
  discount_samples(job.discount, job.values, job.samples, job.antithetic_offset, job.sample);
}

#endif

}  // namespace pricing_kernels
GSIM_TARGET_END

/// At global scope: defines the launchers of the payoff whose functor is
/// pricing_kernels::Payoff<Policy, P, T>.
#define GSIM_DEFINE_PAYOFF(name, Payoff)                               \
  GSIM_DECLARE_PAYOFF(name)                                            \
  GSIM_DEFINE_PAYOFF_(name, name##_f64_strict, Payoff, Strict, double) \
  GSIM_DEFINE_PAYOFF_(name, name##_f64_fast, Payoff, Fast, double)     \
  GSIM_DEFINE_PAYOFF_(name, name##_f32_strict, Payoff, Strict, float)  \
  GSIM_DEFINE_PAYOFF_(name, name##_f32_fast, Payoff, Fast, float)
#define GSIM_DEFINE_PAYOFF_(name, launcher, Payoff, Policy, T)                                    \
  GSIM_DEFINE_LAUNCHER(launcher, pricing::PayoffJob<T>) {                                         \
    pricing_kernels::sample_payoff<Policy, pricing_kernels::Payoff>(executor, #name,              \
                                                                    "pricing: " #launcher, args); \
  }
