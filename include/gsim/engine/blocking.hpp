#pragma once
// Means of correlated series with standard errors by blocking, in bounded memory.
//
// The values of a series are averaged in pairs, the averages again in pairs, and so on (H.
// Flyvbjerg and H. G. Petersen, J. Chem. Phys. 91 (1989) 461): level k holds n_k = floor(n / 2^k)
// averages of B = 2^k values. Of each level only sums are kept, so n values take O(log n) memory.
//
// With c_k(0) and c_k(1) the variance and the lag-1 autocovariance of level k's averages (divisor
// n_k), the mean's error at that level is
//     e_k^2 = c_k(0) / (n_k - 1)                      (Flyvbjerg and Petersen, Eq. 27)
// which grows with k until blocks are longer than the correlation time. The level that is used is
// the first one with
//     4 B^3 > n (e_k / e_0)^4   and   n_k >= 8
// where (e_k / e_0)^2 is the statistical inefficiency, the number of values that count as one
// independent value. By this condition B grows as n^(1/3), as does the block length at which the
// remaining correlation of blocks and the statistical error of few blocks are balanced (U. Wolff,
// Comput. Phys. Commun. 156 (2004) 143; R. M. Lee et al., Phys. Rev. E 83 (2011) 066706, who have
// 1/2 in place of 4, and no correction). The remaining correlation of neighbouring blocks is then
// added:
//     standard error^2 = e_k^2 max(1, 1 + 2 c_k(1) / c_k(0) + 2 / n_k)
// where 2 / n_k corrects the bias of c_k(1). If there is no such level, the series is too short and
// its error is infinite: most series of independent values need 16 values, correlated ones some ten
// times their inefficiency. For autoregressive series of that length the interval of one (two)
// standard errors covers the mean in 0.60 to 0.72 (0.88 to 0.96) of the cases
// (tests/unit/engine/statistics/blocking.cpp); Student's distribution with n_k - 1 degrees of
// freedom explains most of the lower figures.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/digest.hpp"
#include "gsim/engine/estimate.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// A mean of a correlated series.
struct BlockedMean {
  double mean = std::numeric_limits<double>::quiet_NaN();  ///< NaN: no values
  double standard_error = std::numeric_limits<double>::infinity();
  Index count = 0;               ///< values of the series
  Index degrees_of_freedom = 0;  ///< number of blocks less one; 0: no error
  Index block = 0;               ///< values in a block
  /// Values that count as one independent value: 1 + 2 times the sum of autocorrelations. NaN where
  /// there is no error, 1 for a constant series.
  double inefficiency = std::numeric_limits<double>::quiet_NaN();
  /// Effective number of contributing blocks, where events are rare
  /// (engine/contributing_samples.hpp); infinite where they are not, and for combinations of
  /// components.
  double contributing_blocks = std::numeric_limits<double>::infinity();

  bool has_error() const { return degrees_of_freedom > 0; }
  /// Why there is no error, or a warning that it is computed from too few blocks to meet a target;
  /// or empty.
  std::string remark() const;
  /// The mean as an estimate, with remark(): the mean is multiplied by `factor`, the error by its
  /// absolute value. The error of a mean to which few blocks contribute is widened.
  Estimate estimate(std::string name, std::string unit, double factor = 1) const;
};

/// Several series that advance together, each of one or more components. Computes means of linear
/// combinations of a series' components, and ratios of two such means. The same values in the same
/// order give the same bits.
class Blocking {
 public:
  explicit Blocking(Index series = 1, int components = 1);

  Index series() const { return series_; }
  int components() const { return static_cast<int>(components_); }
  /// Values that each series has.
  Index count() const { return count_; }

  /// The next value of each series: series x components numbers.
  void add(std::span<const double> values);
  void add(double value) { add(std::span<const double>(&value, 1)); }

  /// The mean of component 0 of a series, or of the sum of weights times components.
  BlockedMean mean(Index series = 0) const;
  BlockedMean mean(Index series, std::span<const double> weights) const;
  /// The ratio of two means, numerator over denominator, with the error to first order: that of the
  /// mean of (numerator - ratio * denominator), over the denominator (W. G. Cochran, Sampling
  /// Techniques, 3rd ed. (1977), Eq. 6.4). NaN where the denominator is 0.
  BlockedMean ratio(Index series, std::span<const double> numerator,
                    std::span<const double> denominator) const;

  /// The state, as datasets `path`/count and `path`/sums: the same on every rank.
  void save(DatasetWriter& writer, const std::string& path) const;
  /// Restores that state. IoError when it is the state of other series.
  void restore(DatasetReader& reader, const std::string& path);
  void add_to(Digest& digest) const;

 private:
  // A level's numbers for one series: sums, first and last value of each component; then, for each
  // pair of components, sums of products and of products of neighbours (symmetrised). The series'
  // first value is subtracted from all values to avoid cancellation.
  struct Level {
    std::vector<double> data;
    /// For series of one component: the number of values that are not 0, and the sums of third and
    /// fourth powers of values less the first one. They are not part of the digest.
    std::vector<double> powers = {};
  };
  struct Moments;
  /// Number of pairs of components, and of the numbers per series in Level::data and Level::powers.
  std::size_t pairs() const { return components_ * (components_ + 1) / 2; }
  std::size_t data_per_series() const { return 3 * components_ + 2 * pairs(); }
  std::size_t powers_per_series() const { return components_ == 1 ? 3 : 0; }
  Level empty_level() const;
  /// Adds the values in scratch_ to a level of n values; with a pair, scratch_ becomes its mean.
  void add_to_level(Level& level, Index n);
  double contributing_blocks(Index series, std::size_t level) const;
  /// Mean, variance and lag-1 autocovariance of the values of a level, less the first value.
  Moments moments_of(Index series, std::size_t level, std::span<const double> weights) const;
  double mean_of(Index series, std::span<const double> weights) const;
  /// All members but the mean.
  BlockedMean error_of(Index series, std::span<const double> weights) const;

  Index series_;
  std::size_t components_;
  Index count_ = 0;
  std::vector<double> origin_;  // first values
  std::vector<Level> levels_;
  std::vector<double> scratch_;  // averages that are passed to the next level
};

}  // namespace gsim
