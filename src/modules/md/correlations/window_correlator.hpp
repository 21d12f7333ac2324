#pragma once
// The autocorrelation function of a series of vectors, and its running integral, for lags up to the
// length of a window, with standard errors.
//
// Every sample is a time origin. Products are summed over blocks of as many samples as the window
// has lags; each block gives one value of the function and of its integral (trapezoidal rule), and
// these values form a series whose errors are computed by blocking (blocking.hpp). The error of the
// integral therefore includes the correlation of neighbouring lags, and each sample costs one
// multiplication for each lag.

#include <span>
#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"

namespace gsim::md {

/// Computes the autocorrelation function sample by sample.
class WindowCorrelator {
 public:
  /// For lags 0 … `lags` (>= 1) and samples of `components` numbers.
  WindowCorrelator(Index lags, int components);

  /// Adds the next sample.
  void add(std::span<const double> sample);

  Index lags() const { return lags_; }
  /// Number of samples whose products are in the averages.
  Index origins() const { return averages_.count() * lags_; }
  /// The mean over components and time of x(t) x(t + lag). Its count is the number of blocks.
  BlockedMean correlation(Index lag) const { return averages_.mean(2 * lag); }
  /// Its integral from 0 to `lag`, in units of one lag.
  BlockedMean integral(Index lag) const { return averages_.mean(2 * lag + 1); }

  void save(DatasetWriter& writer, const std::string& path) const;
  void restore(DatasetReader& reader, const std::string& path);
  void add_to(Digest& digest) const;

 private:
  Index lags_;
  std::size_t components_;
  Index samples_ = 0;
  std::vector<double> history_;  // ring buffer of lags + 1 numbers for each component
  std::vector<double> sums_;     // sums of products in the incomplete block, by lag
  Blocking averages_;            // correlation and integral, by lag
};

}  // namespace gsim::md
