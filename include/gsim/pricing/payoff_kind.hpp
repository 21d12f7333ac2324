#pragma once
// The record by which a payoff is registered: a product of [[trades]], evaluated on the paths of
// any model. gsim's own payoffs and those of plugins use the same record and the same loops. A
// payoff consists of a functor (payoff.hpp) in a .cu file that is listed in the KERNELS of
// gsim_add_plugin(),
//
//   #include <gsim/pricing/sample_payoff.hpp>
//   GSIM_TARGET_BEGIN
//   namespace pricing_kernels {
//   template <class Policy, class P, class T>
//   struct Ladder {
//     const PayoffTerms<T>* terms;
//     GSIM_HD explicit Ladder(const PayoffTerms<T>& t) : terms(&t) {}
//     …
//   };
//   }  // namespace pricing_kernels
//   GSIM_TARGET_END
//   GSIM_DEFINE_PAYOFF(ladder, Ladder)
//
// and a PayoffKind with its name, keys and launchers, which the plugin registers:
//
//   GSIM_DECLARE_PAYOFF(ladder)
//   registry.extend(gsim::pricing::PayoffKind{.name = "ladder", …, .launchers =
//   GSIM_PAYOFF(ladder)});
//
// A configuration selects it by [[trades]] product = "ladder". The functor reads the spots at the
// trade's dates and, if functor and kind both set reads_logs, their logarithms. It can read
// neither the path between these dates nor conditional expectations given the path of the variance.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/pricing/key_values.hpp"
#include "gsim/pricing/payoff_job.hpp"

namespace gsim {
class Section;
}

namespace gsim::pricing {

/// The dates at which a payoff reads spots, which decide the keys that its trades have besides
/// `maturity`.
enum class PayoffDates {
  maturity,             ///< the maturity alone
  schedule,             ///< any dates up to the maturity, by `fixings` or `fixing_count`
  schedule_to_maturity  ///< the same, with the maturity as the last date
};

/// The part of a trade that does not depend on the payoff.
struct PayoffTrade {
  std::span<const double> spots;    ///< today's, one per asset, > 0
  std::span<const double> fixings;  ///< years from today, increasing and > 0; never empty
  double maturity = 0;              ///< years
};

struct PayoffFunctions;

struct PayoffKind {
  static constexpr char extends[] = "payoff", module[] = "pricing";  // Registry::extend
  std::string_view name, doc;
  /// Smallest and largest number of underlyings of a trade. If at most one is possible, the key is
  /// `asset`, otherwise `assets`.
  Index min_assets = 1, max_assets = 1;
  PayoffDates dates = PayoffDates::maturity;
  bool reads_logs = false;  ///< whether the functor uses spots.log(); must equal its reads_logs
  /// Describes the keys that are the payoff's own. To print the schema it is called
  /// without a configuration.
  void (*describe)(Section& section, KeyValues& values) = nullptr;
  /// Checks the values that describe() read, and completes the numbers that the functor reads
  /// (PayoffTerms::number). Null: there is nothing to check or to complete.
  void (*validate)(const Section& section, const PayoffTrade& trade, KeyValues& values) = nullptr;
  PayoffLaunchers launchers = {};
  /// Functions of gsim's own payoffs, whose set-up needs more than their keys
  /// (src/modules/pricing/trades/payoff_functions.hpp). They take the place of
  /// describe(), validate() and launchers.
  const PayoffFunctions* functions = nullptr;
  /// A complete configuration of the module pricing with this payoff, which runs within seconds.
  std::string_view example = {};

  /// The member that is missing, or null (Registry::Extension).
  const char* missing() const {
    const bool has_launchers = launchers.f64_strict != nullptr && launchers.f64_fast != nullptr &&
                               launchers.f32_strict != nullptr && launchers.f32_fast != nullptr;
    if (functions != nullptr) return nullptr;
    if (describe == nullptr) return "describe";
    return has_launchers ? nullptr : "the launchers of GSIM_PAYOFF";
  }
};

}  // namespace gsim::pricing
