#pragma once
// Value at risk and expected shortfall of a sample of gains, with their errors. A loss is a
// negative gain. For a level alpha and n losses in ascending order, L_(1) <= ... <= L_(n):
//   VaR = L_(k), k = ceil(n alpha), the empirical quantile (McNeil, Frey and Embrechts,
//         "Quantitative Risk Management", 2nd ed. 2015, section 9.2.6);
//   ES  = the mean of the largest n (1 - alpha) losses, of which L_(k) may count in part (Acerbi
//   and
//         Tasche 2002, "On the coherence of expected shortfall", Journal of Banking and Finance
//         26).

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/work_shares.hpp"

namespace gsim::pricing {

inline constexpr double unknown_error = std::numeric_limits<double>::quiet_NaN();

/// A measure of risk, its standard error and a confidence interval.
struct RiskEstimate {
  double value = 0;
  double standard_error = unknown_error;
  double low = unknown_error, high = unknown_error;
};

struct TailRisk {
  RiskEstimate var, es;
};

/// Indices of gains in order of falling losses, of equal losses the first one first.
std::vector<Index> by_falling_loss(std::span<const double> gains);

/// VaR and ES at `level` of gains in the order `order` = by_falling_loss(gains). The interval of
/// VaR is that of two order statistics, with at most (1 - confidence) / 2 outside at each end under
/// the binomial distribution of the number of losses up to VaR (McNeil, Frey and Embrechts 2015,
/// section 9.2.6); an end is infinite where there are too few losses. The standard error of VaR is
/// half the distance of the order statistics sqrt(n alpha (1 - alpha)) to either side of it. The
/// standard error of ES is sqrt((Var(L in the tail) + alpha (ES - VaR)^2) / (n (1 - alpha)))
/// (Manistre and Hancock 2005, "Variance of the CTE estimator", North American Actuarial Journal
/// 9(2)), and its interval normal. Errors are NaN with fewer than two losses beyond VaR. Gains must
/// be independent.
TailRisk tail_risk(std::span<const double> gains, std::span<const Index> order, double level,
                   double confidence);

/// Intervals and standard errors at each level by a bootstrap of `resamples` samples, for gains of
/// which each depends on the following `block` - 1: blocks of that length are drawn with
/// replacement (Kuensch 1989, "The jackknife and the bootstrap for general stationary
/// observations"; with block 1, Efron 1979). Percentile intervals. The ranks, which have the same
/// gains, have samples by `shares`; the same bits for any number of ranks. Collective.
std::vector<TailRisk> bootstrap(std::span<const double> gains, std::span<const Index> order,
                                std::span<const double> levels, double confidence, Index resamples,
                                Index block, std::uint64_t seed, const Communicator& ranks,
                                const WorkShares& shares);

/// Some of the samples of a bootstrap() of `scenarios` gains.
class Resamples {
 public:
  /// Those from number `first` on, `count` in all.
  Resamples(Index scenarios, Index first, Index count, Index block, std::uint64_t seed);
  Index count() const { return count_; }
  /// How often a resample contains each scenario.
  std::span<const std::uint16_t> copies(Index resample) const {
    return {copies_.data() + resample * scenarios_, static_cast<std::size_t>(scenarios_)};
  }
  /// VaR of each resample of gains in the order `order` = by_falling_loss(gains).
  std::vector<double> values_at_risk(std::span<const double> gains, std::span<const Index> order,
                                     double level) const;

 private:
  Index scenarios_, count_;
  std::vector<std::uint16_t> copies_;  ///< [resample][scenario]
};

/// The largest number of resamples that are drawn together: those of at most 256 MB.
Index resamples_at_once(Index scenarios);

/// Standard deviation of the results of resamples; unknown of fewer than two.
double deviation_of(std::span<const double> results);

/// VaR alone, in linear time.
double value_at_risk(std::vector<double> gains, double level);

/// Weights of the losses in the order of by_falling_loss(), with sum 1, that estimate E[X | loss =
/// VaR] from the values X of the scenarios around the quantile: they fall linearly from it on
/// either side, over sqrt(n) losses or fewer where the sample ends (a kernel estimate: Epperlein
/// and Smillie 2006, "Cracking VaR with kernels", Risk 19(8)).
std::vector<double> quantile_weights(Index n, double level);
/// The weights with which ES is the mean of the losses.
std::vector<double> tail_weights(Index n, double level);

}  // namespace gsim::pricing
