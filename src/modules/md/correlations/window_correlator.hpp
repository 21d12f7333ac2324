#pragma once
// The autocorrelation function of a series of a few numbers, and its running integral, for lags up
// to a window, with standard errors.
//
// Every sample is a time origin. Products are summed over blocks of as many samples as the window
// has lags; each block gives one value of the function and of its integral (trapezoidal rule), and
// these values make the blocked series (blocking.hpp) that errors come from. So the
// error of the integral includes the correlation of neighbouring lags, and a sample costs one
// multiplication for each lag.

#include <span>
#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"

namespace gsim::md {

class WindowCorrelator {
 public:
  /// Lags 0 … `lags` >= 1 of series of `components` numbers.
  WindowCorrelator(Index lags, int components);

  /// The next sample: `components` numbers.
  void add(std::span<const double> sample);

  Index lags() const { return lags_; }
  /// Number of samples whose products are in the averages.
  Index origins() const { return averages_.count() * lags_; }
  /// Mean over components and time of x(t) x(t + lag). The count is of blocks.
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
  std::vector<double> history_;  // a ring of lags + 1 numbers for each component
  std::vector<double> sums_;     // of products in the block under way, by lag
  Blocking averages_;            // correlation and integral, by lag
};

}  // namespace gsim::md
