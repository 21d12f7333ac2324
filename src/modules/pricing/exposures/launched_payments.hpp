#pragma once
// The payments of trades whose payoffs launchers evaluate (of scripts and plugins) on simulated
// paths: those after a date, and those at it.
//
// A launcher returns all payments of a path at once, those before the maturity compounded to the
// payment date by factors that belong to their dates (PayoffTerms::growth, or the tables of a
// script). With the factors of the dates up to t replaced by 0, it returns the payments that are
// fixed after t. The state of the past at t is what the payoff would pay of these if all spots
// stayed as they are at t: the payoff on the path that is stopped at t. Payments that are fixed
// until t and paid later are returned with the factors of these alone: their values at t are known.
// What is owed at t of a trade that was exercised before is returned by the payoff of exercise with
// the factors of what is paid after t.

#include <memory>
#include <vector>

#include "src/modules/pricing/exercise/exercise_policy.hpp"
#include "src/modules/pricing/market/market_view.hpp"
#include "src/modules/pricing/trades/trade_config.hpp"

namespace gsim::pricing {

/// The dates of a trade whose payoff launchers evaluate, years.
struct LaunchedDates {
  const std::vector<double>& recorded;  ///< the last one is the maturity
  const std::vector<Index>& valued;     ///< those of them, before the maturity, with values
  const std::vector<double>& later;     ///< those with values from the maturity on
};

/// Payments of one trade that are recorded on paths: amounts per unit of the trade, in the base
/// currency at today's exchange rate, discounted to today. They are values of one ExerciseSetup,
/// in whose place among its dates they are found.
class LaunchedPayments {
 public:
  /// `whole` is the set-up of `trade`, whose payoff is PayoffFormula::launched without extremes of
  /// the path between dates. All dates are among the records of the view. `decisions` have the
  /// payoffs of early exercise, or are null.
  LaunchedPayments(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                   const LaunchedDates& dates, const ExerciseSetup* decisions);

  /// What is recorded; there are no variables.
  const std::shared_ptr<ExerciseSetup>& recorded() const { return recorded_; }
  /// Where the payments of all dates are found.
  static constexpr Index total = 0;
  /// Where the payments that are fixed after the valued date d, one of the recorded ones, are
  /// found.
  Index later(Index d) const { return columns_[static_cast<std::size_t>(d)].later; }
  /// Without has_known(): where the payments at the valued date d, or at the maturity, and after it
  /// are found; -1: there are none at d.
  Index from(Index d) const { return columns_[static_cast<std::size_t>(d)].from; }
  /// Where the state of the past at the valued date d is found.
  Index state(Index d) const { return columns_[static_cast<std::size_t>(d)].state; }

  /// Whether values of payments that are fixed are recorded: with payments after the dates at which
  /// they are fixed, and with early exercise.
  bool has_known() const { return constant_ >= 0; }
  /// Values at a date of payments that are fixed until then, for which constant() is to be
  /// subtracted: of those that are paid later, and at the date.
  struct Known {
    Index later = -1, at = -1;
  };
  /// Those at date k of the valued ones and then the later ones.
  const Known& known(std::size_t k) const { return known_[k]; }
  /// Where the payments that belong to no date are found: those of a script `at maturity`.
  Index constant() const { return constant_; }
  /// With early exercise: what is owed after it, of which constant is to be subtracted, and
  /// is itself paid at `constant_paid_at`, years. [date k as of known()]; -1: nothing else is owed.
  struct Exercised {
    struct Owed {
      Index value = -1, after = -1;  ///< with the payments of the date, and without them
    };
    Index constant = -1;
    double constant_paid_at = 0;
    std::vector<Owed> owed;
  };
  /// Of exercise date i, before the last one.
  const Exercised& exercised(Index i) const { return exercised_[static_cast<std::size_t>(i)]; }

 private:
  struct Columns {
    Index later = -1, from = -1, state = -1;
  };
  /// Returns where the values of the payoff are found.
  Index add(TradeSetup setup);
  void add_payments_at_dates(const TradeConfig& trade, const MarketView& view,
                             const TradeSetup& whole, const LaunchedDates& dates);
  void add_known_payments(const TradeConfig& trade, const MarketView& view, const TradeSetup& whole,
                          const LaunchedDates& dates, const ExerciseSetup* decisions);
  /// Sets exercised_ for the dates of known().
  void add_exercised(const TradeConfig& trade, const MarketView& view,
                     const std::vector<double>& dates, const ExerciseSetup& decisions);
  /// Sets where the payments after date d, and the state, are found.
  void add_later(Index d, Index record, TradeSetup later);

  std::shared_ptr<ExerciseSetup> recorded_;
  std::vector<Columns> columns_;  ///< [recorded date]
  std::vector<Known> known_;
  std::vector<Exercised> exercised_;
  Index constant_ = -1;
};

/// Whether the holder of a script may exercise it at its maturity, and has another payment than
/// that of `exercise` at another time.
bool may_choose_when_paid(const TradeConfig& trade);

}  // namespace gsim::pricing
