#pragma once
// The paths of an asset in a bumped market, compared with those in the market itself.

#include <cmath>
#include <optional>
#include <vector>

#include "src/modules/pricing/paths/simulation.hpp"

namespace gsim::pricing {

/// The change of the log-spot of an asset until a record: over the steps since the record before,
/// `slope` times its change in the market itself, besides that, plus, since the start, `shift`.
struct RecordChange {
  double slope = 0, shift = 0;

  friend bool operator==(const RecordChange&, const RecordChange&) = default;
};

/// Whether `b` differs from `a` by at most `tolerance` times `a`.
inline bool is_near(double a, double b, double tolerance) {
  return std::fabs(a - b) <= tolerance * std::fabs(a);
}
/// Relative differences between two slopes of this size are rounding errors.
inline constexpr double slope_rounding = 1e-9;

/// exact: the paths in the bumped market. first: to first order in the changes of variances, for
/// derivatives. A bump of an implied volatility changes the variances of two intervals; where they
/// are short, its square would be seen, and have the same sign in every bucket.
enum class ChangeOrder { exact, first };

/// Whether an asset is lognormal, without jumps.
bool is_lognormal(const AssetDynamics& asset);

class BumpedAsset {
 public:
  /// Asset number `asset` of both simulations, which must outlive this object. With `is_continuous`
  /// its extremes between records are read, too.
  BumpedAsset(const Simulation& base, const Simulation& bumped, std::size_t asset,
              bool is_continuous, ChangeOrder order = ChangeOrder::exact);

  /// Whether the paths are those in the market itself.
  bool is_same() const;
  /// Whether they are lognormal in both markets.
  bool has_lognormal_paths() const { return has_same_paths_ && is_lognormal(base_); }
  /// The changes until each record, if the paths can be derived from those in the market itself.
  std::optional<std::vector<RecordChange>> changes() const;
  /// The same for paths that have the distribution of those in the bumped market at `records`,
  /// ascending, without their random numbers: nothing but the variance between two of them matters,
  /// if no other asset is read with this one. Shifts are those until these records; up to the next
  /// of them, other records have its change.
  std::optional<std::vector<RecordChange>> changes_of_distribution(
      const std::vector<Index>& records) const;
  /// S'(0) / S(0).
  double spot_ratio() const;

 private:
  /// Whether paths in the bumped market may differ by a factor and a scale from those in the market
  /// itself.
  bool is_relative() const;
  bool has_variance(std::size_t step) const;
  /// By what the deviation of the log-spot from its drift is multiplied in a step.
  double ratio_of(std::size_t step) const;
  /// The same, minus 1, or its first order, for variances v in the market and w in the bumped one.
  double slope_of(double v, double w) const;

  const AssetDynamics &base_, &bumped_;
  const TimeGrid& grid_;
  bool is_continuous_, has_same_paths_;
  ChangeOrder order_;
};

}  // namespace gsim::pricing
