#pragma once
// Bonds in the Gaussian models of short rates, in units of a numeraire.
//
// The one-factor model of Hull and White (1990, "Pricing interest-rate-derivative securities",
// Review of Financial Studies 3, 573), dr = (theta(t) - kappa r) dt + sigma dW, in the form of a
// linear Gauss-Markov model (Hagan and Woodward 1999, "Markov interest rate models", Applied
// Mathematical Finance 6, 233; Andersen and Piterbarg 2010, "Interest Rate Modeling",
// section 10.1). With
//   H(t) = (e^(-kappa T) - e^(-kappa t)) / kappa,   zeta(t) = sigma^2 (e^(2 kappa t) - 1) / (2
//   kappa)
// for any constant T and a Gaussian martingale x of variance zeta, a numeraire is N(t) = e^(H(t) x
// + H(t)^2 zeta(t) / 2) / P(0, t), and a zero-coupon bond in units of it is
//   P(t, T) / N(t) = P(0, T) e^(-H(T) x - H(T)^2 zeta(t) / 2).
// With T the end of the last trade, amounts in units of N vary little more than the payments
// themselves. N(0) = 1, so that means of these amounts are prices. What is simulated in place of a
// spot is S = e^(x - zeta / 2), a lognormal martingale with S(0) = 1.
//
// Rates with a second factor have the model of two_factors.hpp, with the numeraire P(t, T) / P(0,
// T), that of the formula above. What is simulated in place of two log-spots are its factors x and
// y, since martingales, such as e^(a t) x, have variances that are too large for floating point
// where the mean reversion is fast.

#include <vector>

#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/market/two_factors.hpp"

namespace gsim::pricing {

/// zeta(t) of a short rate with one factor.
double short_rate_variance(const ShortRate& rate, double t);

/// The bonds of one short rate, in units of the numeraire.
class ShortRateModel {
 public:
  /// The rate `asset` of the market, of two factors the first; both must outlive this object.
  ShortRateModel(const MarketConfig& market, const AssetConfig& asset);

  /// P(0, t).
  double discount(double t) const;
  /// H(t) of a rate with one factor.
  double loading(double t) const;
  /// zeta(t) of a rate with one factor.
  double variance(double t) const { return short_rate_variance(short_rate_, t); }
  /// The factor of the forward rate L of the forecast curve in the deterministic basis to the
  /// discount curve: (1 + tau L) / (P(0, start) / P(0, end)).
  double basis(double start, double end) const;
  /// What `amount`, paid at `payment`, is worth at `date`, not later, in units of the numeraire.
  RateTerm value_at(double date, double payment, double amount) const;
  /// What 1 + tau L, where L is the forward rate of the forecast curve for the period from `start`
  /// to `end`, is worth at `date`, not later than `start`, if it is paid at `payment`, not before
  /// `end`.
  RateTerm growth_at(double date, double start, double end, double payment, double amount) const;
  /// E[A(date)] or E[max(A(date), 0)], where A is the sum of the terms. The sign of A must change
  /// at most once as S or, of two factors, each of them alone rises: the bonds of a swap
  /// (Jamshidian 1989, "An exact bond option formula", Journal of Finance 44, 205; Brigo and
  /// Mercurio 2006, section 4.2.5).
  double expectation(const std::vector<RateTerm>& terms, double date, bool is_option) const;
  /// Whether the rate has a second factor.
  bool has_two_factors() const { return short_rate_.second.has_value(); }

 private:
  /// The loadings of a bond that pays 1 at `payment`, at `date`.
  RateTerm bond(double date, double payment) const;
  /// `amount`, a value today, as a claim at `date` with the loadings of `term`.
  RateTerm claim(double amount, double date, RateTerm term) const;
  const StepFunction& rate_;
  const StepFunction& forecast_;
  const ShortRate& short_rate_;
  double kappa_, horizon_;
};

/// E[max(A(date), 0)] at an earlier date, in units of the numeraire, for many states of that date,
/// of a rate with one factor.
/// The sign of the sum A must change at most once as S rises.
class RateOption {
 public:
  RateOption(const ShortRateModel& model, std::vector<RateTerm> terms, double earlier, double date);
  /// The expectation given ln S(earlier), and its derivative.
  struct Value {
    double value, slope;
  };
  Value value(double log_state) const;
  /// Standard deviation of ln S(date) given ln S(earlier).
  double deviation() const { return inverse_deviation_ > 0 ? 1 / inverse_deviation_ : 0; }

 private:
  /// amount e^(-loading ln S(earlier)) is the term's expectation, and ln S(date) has the mean
  /// ln S(earlier) + shift under the term's measure.
  struct Term {
    double amount, loading, shift;
  };
  std::vector<Term> terms_;
  double limit_ = 0, inverse_deviation_ = 0;  ///< of ln S(date)
  double side_ = 0;  ///< 1: A > 0 below the limit; -1: above it; 0: everywhere
};

}  // namespace gsim::pricing
