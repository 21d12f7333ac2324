#pragma once
// How the paths of an asset change in a bumped market, to first order in the bump.

#include <optional>
#include <vector>

#include "src/modules/pricing/greeks/bumped_asset.hpp"

namespace gsim::pricing {

/// The change of the log-spot of one asset of a trade until each record. Without changes its paths
/// are those of the market itself.
class AssetChange {
 public:
  AssetChange() = default;
  AssetChange(std::vector<RecordChange> records, double spot_change)
      : records_(std::move(records)), spot_change_(spot_change) {}
  /// `others` holds the slopes with respect to the changes of all assets of the trade, in its
  /// order, [record][asset]; that of the asset itself is ignored. Empty: all others are 0.
  AssetChange(std::vector<RecordChange> records, double spot_change, std::vector<double> others,
              std::size_t assets)
      : records_(std::move(records)),
        others_(std::move(others)),
        assets_(assets),
        spot_change_(spot_change) {}

  /// By what the change of the asset's own log-spot since the record before is multiplied.
  double slope(Index record) const {
    return records_.empty() ? 0 : records_[static_cast<std::size_t>(record)].slope;
  }
  /// The same for the change of another asset, the one at `position` in the trade.
  double slope_of_other(Index record, std::size_t position) const {
    return others_.empty() ? 0 : others_[static_cast<std::size_t>(record) * assets_ + position];
  }
  bool has_other_slopes() const { return !others_.empty(); }
  /// What is added between two records; -1 is the start of the path.
  double shift(Index from, Index to) const;
  /// S'(0) / S(0) - 1.
  double spot_change() const { return spot_change_; }

  /// A change whose derivatives are simulated: element `index` of GreekSimulations::tangents. It
  /// has no slopes and shifts.
  static AssetChange simulated(std::size_t index) {
    AssetChange change;
    change.tangent_ = index;
    return change;
  }
  const std::optional<std::size_t>& tangent() const { return tangent_; }
  /// The same change, and besides `slope` times the log-spot at each of `records` records.
  AssetChange with_slope(double slope, Index records) const;

 private:
  std::vector<RecordChange> records_;
  std::vector<double> others_;
  std::size_t assets_ = 0;
  double spot_change_ = 0;
  std::optional<std::size_t> tangent_;
};

/// A change of a log-spot or, relative, of a discount factor that is smaller than this is a
/// rounding error: changes that are not 0 are of the order of 2^-20.
double without_rounding(double change);
/// The change of the logarithm of a positive number, without rounding errors.
double relative_change(double from, double to);

/// The change of a factor of a Gaussian short rate with two factors where its volatility is bumped,
/// which multiplies its path; nothing if it changes otherwise.
std::optional<AssetChange> factor_change(const Simulation& base, const Simulation& bumped,
                                         Index asset);

/// The change of asset `assets[position]` for a payoff that reads the lognormal `assets` at
/// `records` alone, ascending; nothing if the paths have no derivative.
///
/// The change of the asset's log-spot over the interval between two of the records is, for given
/// normals z_k of the steps k, Y = sum_k s'_k z_k and a constant, with s'_k the derivative of the
/// deviation of step k. The payoff depends on the path through the changes X of the assets'
/// log-spots over the intervals alone, so that its derivative has the same expectation with
/// E[Y | X] in the place of Y, and no larger variance (conditional Monte Carlo: Glasserman 2004,
/// section 7.2.3). X and Y are jointly normal: E[Y | X] = h' C^-1 (X - E[X]), with C the covariance
/// matrix of X and h the covariances of Y with X. This is the derivative of the Cholesky factor of
/// C, with the changed asset as the last one (Smith 1995, "Differentiation of the Cholesky
/// algorithm", Journal of Computational and Graphical Statistics 4(2), 134). Where all deviations
/// of an interval change in one proportion, Y is that multiple of the asset's own X.
std::optional<AssetChange> conditional_change(const Simulation& base, const Simulation& bumped,
                                              const std::vector<Index>& assets,
                                              std::size_t position,
                                              const std::vector<Index>& records);

}  // namespace gsim::pricing
