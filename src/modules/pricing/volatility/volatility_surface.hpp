#pragma once
// Implied volatilities of European options on one asset by expiry and strike.

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/modules/pricing/market/term_structure.hpp"
#include "src/modules/pricing/volatility/smile.hpp"

namespace gsim::pricing {

/// Spot, rate, dividend yield and discrete dividends, from which the forwards of the expiries
/// follow.
struct ForwardCurve {
  double spot = 0;
  StepFunction rate, dividend;
  /// Times of discrete dividends, increasing, and the logarithms of the factors by which they lower
  /// the forward.
  std::vector<std::pair<double, double>> drops = {};

  double log_growth(double t) const;  ///< ln(forward / spot)
  double log_forward(double t) const;
  double forward(double t) const;
};

/// Smiles at expiries; between them total variances are linear in time at equal log-moneyness, from
/// 0 today; after the last one the implied volatility at equal log-moneyness is constant. The
/// surface keeps the forwards with which it was made.
class VolatilitySurface {
 public:
  /// `expiries` are years, positive and increasing, with one smile for each.
  VolatilitySurface(std::string name, ForwardCurve forwards, std::vector<double> expiries,
                    std::vector<std::shared_ptr<const Smile>> smiles);

  const std::string& name() const { return name_; }
  const ForwardCurve& forwards() const { return forwards_; }
  const std::vector<double>& expiries() const { return expiries_; }

  /// Total variance at expiry i as a function of k = ln(K / F), with derivatives in k.
  Taylor at_expiry(std::size_t i, double k) const;
  /// Standard deviation of ln S at expiry i by the volatility at the forward, without shifts.
  double deviation(std::size_t i) const;
  /// Number of the interval of time, from expiry i - 1 (or today) to expiry i, that contains t (its
  /// end included); expiries().size() after the last expiry.
  std::size_t interval_of(double t) const;
  /// Total variance at time t in interval i, with derivatives in k, its derivative with respect to
  /// time, and the ratio of its slope to its value, which has a limit at t = 0.
  struct InTime {
    Taylor variance;
    double time_slope = 0, relative_slope = 0;
  };
  InTime in_interval(std::size_t i, double t, double k) const;
  double total_variance(double t, double strike) const;
  double implied_volatility(double t, double strike) const;

  /// The surface with implied volatilities of expiry `bucket` (-1: of all) shifted by `size`.
  VolatilitySurface shifted(int bucket, double size) const;

 private:
  std::string name_;
  ForwardCurve forwards_;
  std::vector<double> expiries_;
  std::vector<std::shared_ptr<const Smile>> smiles_;
  std::vector<double> shifts_;  ///< of the implied volatility at each expiry
};

/// Durrleman's function g of a total variance w(k), of which the density of ln S at k is a positive
/// multiple (Gatheral 2006, "The Volatility Surface", eq. 1.10; Gatheral and Jacquier 2014, eq.
/// 2.1): (1 - k w' / 2w)^2 - w'^2 (1/w + 1/4) / 4 + w'' / 2.
double durrleman(const VolatilitySurface::InTime& w, double k);

}  // namespace gsim::pricing
