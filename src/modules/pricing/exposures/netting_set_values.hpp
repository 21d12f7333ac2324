#pragma once
// The values of netting sets on simulated paths: all trades are valued on the same paths of the
// risk-neutral market.

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "src/modules/pricing/exposures/exposed_trade.hpp"
#include "src/modules/pricing/exposures/exposure_options.hpp"
#include "src/modules/pricing/exposures/spots_on_paths.hpp"

namespace gsim::pricing {

/// Trades are recorded in one simulation as far as this number of bytes allows. A trade that needs
/// more is recorded alone.
inline constexpr double largest_group_bytes = 256 << 20;

/// The values of all netting sets on the paths of one unit, in units of the sets' numeraires:
/// discounted to today.
struct NettingSetValues {
  Index paths = 0, dates = 0;
  std::vector<double> before;  ///< [set][date][path] with the payments of the date
  std::vector<double> after;   ///< [set][date][path] without them
  /// [set] 1 / N(t), [date][path], where N is the numeraire of the set's short rate; null for sets
  /// at certain rates, whose numeraire is 1 / D(t).
  std::vector<std::shared_ptr<const std::vector<double>>> inverse_numeraire;
  std::vector<double> today = {};  ///< [set] values today
  const double* of(Index set, Index date, bool is_after) const {
    return (is_after ? after : before).data() + (set * dates + date) * paths;
  }
};

class NettingSetValuation {
 public:
  /// Values at `dates`, years, increasing; some may be after all maturities. `config` and `options`
  /// must outlive this object. Trades with early exercise must have their policies before the first
  /// call of evaluate(). Throws as set_up().
  /// Results do not depend on `group_bytes` (largest_group_bytes).
  NettingSetValuation(const PricingConfig& config, const ExposureOptions& options,
                      std::vector<double> dates, const Context& context,
                      double group_bytes = largest_group_bytes);

  /// The values on the paths of unit `unit`, which no other unit has. `report` is called from time
  /// to time with the share, 0 to 1, of the trades that are valued.
  NettingSetValues evaluate(Index unit, const std::function<void(double)>& report = {}) const;
  /// The increments of the Brownian motion of an asset's spot, from each date to the next one,
  /// divided by their standard deviations, on the paths of a unit: [date][path]. The asset must
  /// have the model black_scholes and a trade.
  std::vector<double> spot_normals(Index unit, Index asset) const;

  /// Number of trades that are valued by formulas.
  Index closed_trades() const { return closed_; }
  /// Number of trades that depend on more of the past than the variables of their regressions.
  Index incomplete_trades() const { return incomplete_; }
  /// Largest number of bytes of a unit's paths.
  double bytes() const;

 private:
  /// Adds trades on the assets of the base measures, for the set-up of their paths.
  void add_base_measures(PricingConfig& recorded) const;
  /// A trade on the paths of setup_.
  ExposedTrade exposed(std::size_t trade) const;
  /// Sets groups_ and the numbers of bytes.
  void group_trades(double group_bytes);
  /// The values of the trades of a group on the paths of a unit, [trade of the group].
  std::vector<TradeValues> values_of(IndexRange group, const UnitSamples& samples) const;
  UnitSamples samples(Index unit) const;
  UnitPaths unit_paths(Index unit) const;
  /// What conversion_on_paths() depends on: the currency, and the numeraires of trade and set.
  using Conversion = std::tuple<Index, Index, Index>;
  Conversion conversion_of(std::size_t trade) const;
  /// NettingSetValues::inverse_numeraire.
  std::vector<std::shared_ptr<const std::vector<double>>> set_numeraires(
      const UnitPaths& unit) const;
  /// Adds the values of a trade to those of its set; they are multiplied by `conversion`,
  /// [date][path], unless that is null.
  void add_trade(std::size_t trade, const TradeValues& values,
                 const std::vector<double>* conversion, NettingSetValues& sums) const;

  const PricingConfig* config_;
  const ExposureOptions* options_;
  std::vector<double> dates_;
  Context alone_;                   ///< of this rank alone
  PricingSetup setup_;              ///< the paths of all trades
  std::vector<IndexRange> groups_;  ///< of trades whose paths are simulated together
  Index closed_ = 0, incomplete_ = 0;
  std::size_t conversions_ = 0;  ///< numbers of conversions of trades and of numeraires of sets
  double group_bytes_ = 0;       ///< of the largest group
};

}  // namespace gsim::pricing
