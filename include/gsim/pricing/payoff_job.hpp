#pragma once
// The terms of a payoff and the samples to be evaluated by its launcher: plain data, in the
// executor's memory. T is the type of path arithmetic (double or float); tables are computed in
// double and rounded once.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/exec/launch.hpp"
#include "gsim/pricing/payoff.hpp"

namespace gsim::pricing {

/// The arguments of a payoff's functor.
template <class T>
struct PayoffTerms {
  const T* number;            ///< KeyValues::numbers, rounded to T
  const std::int32_t* asset;  ///< [assets]: indices for `spots`
  /// [fixings]: the value at the trade's payment date (payment_lag after the maturity) of an amount
  /// of 1 that is paid payment_lag after the i-th fixing. The result of the functor's value() is an
  /// amount at the payment date.
  const T* growth;
  std::int32_t assets, fixings;
};

/// The samples of one trade over a tile of paths.
template <class T>
struct PayoffJob {
  PayoffTerms<T> terms;
  const std::int32_t* record;  ///< [fixings]: index of the record of each fixing in the tile
  double discount;             ///< from the payment date
  Tile<T> tile;
  Index samples;            ///< to be evaluated: paths 0 … samples - 1 of the tile
  Index antithetic_offset;  ///< path `antithetic_offset + s` is antithetic to path s; 0: no
                            ///< antithetic sampling
  T* values;                ///< work space on a CPU: the values of the paths
  double* sample;           ///< [samples], to be filled
  bool has_logs;            ///< whether the tile holds logarithms of the trade's spots
};

/// Throws InputError if the functor of the payoff `name` reads logarithms of spots and the tile
/// does not hold them.
void check_payoff(const char* name, bool reads_logs, bool has_logs);

/// The launchers of one payoff.
struct PayoffLaunchers {
  void (*f64_strict)(const Executor&, const PayoffJob<double>&) = nullptr;
  void (*f64_fast)(const Executor&, const PayoffJob<double>&) = nullptr;
  void (*f32_strict)(const Executor&, const PayoffJob<float>&) = nullptr;
  void (*f32_fast)(const Executor&, const PayoffJob<float>&) = nullptr;
};

}  // namespace gsim::pricing

/// At global scope: declares what GSIM_DEFINE_PAYOFF (sample_payoff.hpp) defines.
#define GSIM_DECLARE_PAYOFF(name)                                      \
  GSIM_DECLARE_LAUNCHER(name##_f64_strict, pricing::PayoffJob<double>) \
  GSIM_DECLARE_LAUNCHER(name##_f64_fast, pricing::PayoffJob<double>)   \
  GSIM_DECLARE_LAUNCHER(name##_f32_strict, pricing::PayoffJob<float>)  \
  GSIM_DECLARE_LAUNCHER(name##_f32_fast, pricing::PayoffJob<float>)

/// The PayoffLaunchers of the payoff that GSIM_DECLARE_PAYOFF(name) declared.
#define GSIM_PAYOFF(name)                                                                     \
  [] {                                                                                        \
    using gsim::Executor;                                                                     \
    using gsim::pricing::PayoffJob;                                                           \
    return gsim::pricing::PayoffLaunchers{                                                    \
        [](const Executor& e, const PayoffJob<double>& j) { gsim::name##_f64_strict(e, j); }, \
        [](const Executor& e, const PayoffJob<double>& j) { gsim::name##_f64_fast(e, j); },   \
        [](const Executor& e, const PayoffJob<float>& j) { gsim::name##_f32_strict(e, j); },  \
        [](const Executor& e, const PayoffJob<float>& j) { gsim::name##_f32_fast(e, j); }};   \
  }()
