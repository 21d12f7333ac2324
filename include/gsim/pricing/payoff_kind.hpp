#pragma once
// A payoff that a plugin brings: a product of [[trades]], evaluated on the paths of any model by
// the same loop as gsim's own. One is a functor (payoff.hpp) in a .cu file that gsim_add_plugin()
// gets as one of its KERNELS,
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
// A configuration has it as a trade: [[trades]] product = "ladder". The functor sees the spots at
// the trade's dates and, where functor and kind both say reads_logs, their logarithms: not what the
// path does in between, and nothing given the path of the variance.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/pricing/payoff_job.hpp"

namespace gsim {
class Section;
}

namespace gsim::pricing {

/// Which dates a payoff looks at, and so which keys its trades have beside `maturity`.
enum class PayoffDates {
  maturity,             ///< that alone
  schedule,             ///< `fixings` or `fixing_count` …: any, up to the maturity
  schedule_to_maturity  ///< the same, the maturity being the last
};

/// What is known of a trade when its payoff's own keys are read. Empty and 0 while these are only
/// described (Section::describing()).
struct PayoffTrade {
  std::span<const double> spots;    ///< today's, one an asset, > 0
  std::span<const double> fixings;  ///< years from today, rising and > 0; the maturity at least
  double maturity = 0;              ///< years
};

struct PayoffSetUp;

struct PayoffKind {
  static constexpr char extends[] = "payoff", module[] = "pricing";  // Registry::extend
  std::string_view name, doc;
  /// How many underlyings a trade has. With at most one its key is `asset`, else `assets`.
  Index least_assets = 1, most_assets = 1;
  PayoffDates dates = PayoffDates::maturity;
  bool reads_logs = false;  ///< as the functor says: whether it asks for spots.log()
  /// Describes the keys that are the payoff's own; returns the numbers that its functor reads
  /// (PayoffTerms::number), at most a million.
  std::vector<double> (*describe)(Section& section, const PayoffTrade& trade) = nullptr;
  PayoffLaunchers launchers = {};
  /// Functions of gsim's own payoffs, whose set-up needs more than their keys
  /// (src/modules/pricing/trades/payoff_set_up.hpp). They take the place of describe() and
  /// launchers.
  const PayoffSetUp* set_up = nullptr;
  /// A whole configuration of module pricing with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const {
    const bool has_launchers = launchers.f64_strict != nullptr && launchers.f64_fast != nullptr &&
                               launchers.f32_strict != nullptr && launchers.f32_fast != nullptr;
    if (set_up != nullptr) return nullptr;
    if (describe == nullptr) return "describe";
    return has_launchers ? nullptr : "the launchers of GSIM_PAYOFF";
  }
};

}  // namespace gsim::pricing
