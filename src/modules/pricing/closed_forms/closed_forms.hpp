#pragma once
// Prices and expectations in closed form: expectations of control variates, and reference values of
// tests. `sign` is +1 for calls and -1 for puts; `discount` multiplies the result; `variance` is
// the total variance of the logarithm over the option's life (sigma^2 T, or the integral of sigma^2
// where volatility depends on time); times are in years. All functions use gsim's own elementary
// functions, so that results are bitwise identical on every machine.

#include <span>
#include <vector>

namespace gsim::pricing {

/// E[max(sign (X - strike), 0)] for lognormal X of mean `forward` (Black 1976, eq. 16; Black and
/// Scholes 1973 and Merton 1973 with forward = S exp((r - q) T)).
double black(double sign, double forward, double strike, double variance, double discount);
/// Probability that sign (X - strike) > 0, discounted (Reiner and Rubinstein 1991, "Unscrambling
/// the binary code").
double cash_digital(double sign, double forward, double strike, double variance, double discount);
/// E[X; sign (X - strike) > 0], discounted (same source).
double asset_digital(double sign, double forward, double strike, double variance, double discount);
/// E[max(sign (S_T - moneyness S_1), 0)] where S_1 has mean `first_forward`, S_T has mean
/// `forward`, and `variance` is that of ln(S_T / S_1) (Rubinstein 1990, "Pay now, choose later").
double forward_start(double sign, double first_forward, double forward, double moneyness,
                     double variance, double discount);
/// E[max(sign (X - Y), 0)] for jointly lognormal X and Y with the given means; `variance` is that
/// of ln(X / Y) (Margrabe 1978, eq. 5).
double exchange(double sign, double first_forward, double second_forward, double variance,
                double discount);

/// Mean and variance of the logarithm of a lognormal variable, and its expectation.
struct Lognormal {
  double mean = 0;
  double variance = 0;
  double expectation() const;
};

/// Distribution of exp((past_sum + sum_k ln S(t_k)) / (past_count + n)), the geometric average of n
/// future fixings and the past ones, for deterministic volatility (Kemna and Vorst 1990; discrete
/// dates: Turnbull and Wakeman 1991): forwards[k] = E[S(t_k)], variances[k] = Var[ln S(t_k)], both
/// in increasing order of t_k.
Lognormal geometric_average(std::span<const double> forwards, std::span<const double> variances,
                            double past_sum, double past_count);
/// Covariance of ln S(t_n), the last fixing, with the logarithm of that average.
double geometric_average_covariance(std::span<const double> variances, double past_count);

/// Distribution of exp(log_scale + sum_i weights[i] ln S_i) for jointly lognormal S_i; `covariance`
/// of the ln S_i is row-major.
Lognormal geometric_basket(std::span<const double> forwards, std::span<const double> covariance,
                           std::span<const double> weights, double log_scale);

/// European option under lognormal jumps: `variance` is that of the diffusion; the expected number
/// of jumps over the option's life is `expected_jumps`, and each jump of the logarithm is normal
/// (Merton 1976, eq. 19, written with the forward). The series is truncated when the remaining
/// weights sum to less than 1e-17.
double merton(double sign, double forward, double strike, double variance, double expected_jumps,
              double jump_mean, double jump_sd, double discount);

/// Parameters of Heston's model for one asset, or of Bates' model with jumps as in merton(), and
/// the maturity of the option.
struct HestonTerms {
  double v0 = 0, kappa = 0, theta = 0, sigma = 0, rho = 0;
  double jump_intensity = 0, jump_mean = 0, jump_sd = 0;
  double maturity = 0;
};
/// European option under Heston's model (1993) or Bates' (1996): Lewis' single integral (2001,
/// "A simple option formula for general jump-diffusion and other exponential Levy processes", eq.
/// 3.11) over the characteristic function, to about 1e-13 of the forward.
double heston(double sign, double forward, double strike, const HestonTerms& terms,
              double discount);
/// The values of calls, not discounted, by a fixed quadrature of the same integral, to about 1e-8
/// of the forward: the characteristic function is evaluated once for all strikes.
std::vector<double> heston_calls(double forward, std::span<const double> strikes,
                                 const HestonTerms& terms);

/// E[min(max(sign (R - moneyness), floor), cap)] for the ratio R of the spots at the end and the
/// start of a period, with mean `mean`, lognormal with jumps as in merton(). It is the floor plus
/// the difference of two European options (Wilmott 2002, "Cliquet options and volatility models").
/// floor <= cap; either may be infinite.
double clipped_return(double sign, double mean, double moneyness, double floor, double cap,
                      double variance, double expected_jumps, double jump_mean, double jump_sd);

/// Expected sum of squared log returns of independent normal log returns with these drifts
/// (integral of r - q over each period) and variances: sum (drift - variance / 2)^2 + variance.
double expected_squared_returns(std::span<const double> drifts, std::span<const double> variances);
/// Mean of v over [0, T] in the Heston model: theta + (v0 - theta)(1 - exp(-kappa T)) / (kappa T)
/// (the fair strike of a continuously sampled variance swap; Broadie and Jain 2008, eq. 9).
double heston_mean_variance(double v0, double kappa, double theta, double maturity);

// --- one asset with constant rate r, dividend yield q and volatility, monitored continuously

struct FlatMarket {
  double spot = 0, rate = 0, dividend = 0, volatility = 0, maturity = 0;
};
struct BarrierTerms {
  double sign = 1, strike = 0, barrier = 0, rebate = 0;
  bool up = false, knock_in = false;
  bool rebate_at_hit = true;  ///< a knock-out pays its rebate at the hit, else at maturity
};
/// E[exp(-rate tau); tau <= maturity] for the first time tau at which the spot touches `barrier`,
/// given that it has not touched it yet. `rate` may differ from the market's rate, which sets the
/// drift of the spot (Reiner and Rubinstein 1991; term F of Haug 1998, section 2.10.1). With rate 0
/// it is the probability of a touch.
double first_touch(const FlatMarket& market, double barrier, bool up, double rate);
/// All eight kinds of single barriers with rebate (Reiner and Rubinstein 1991, "Breaking down the
/// barriers"; terms A to F as in Haug 1998, section 2.10.1). A spot at or beyond the barrier counts
/// as a touch.
double continuous_barrier(const FlatMarket& market, const BarrierTerms& terms);
/// Floating-strike lookback; `extreme` is the running minimum (call) or maximum (put), equal to the
/// spot for a new option (Goldman, Sosin and Gatto 1979).
double lookback_floating(const FlatMarket& market, double sign, double extreme);
/// Fixed-strike lookback; `extreme` is the running maximum (call) or minimum (put) (Conze and
/// Viswanathan 1991).
double lookback_fixed(const FlatMarket& market, double sign, double strike, double extreme);

// --- two assets

/// P(X <= x, Y <= y) for standard normals of correlation rho in (-1, 1): Plackett's 1954 integral
/// over the correlation, in the variable tan(asin(rho) / 2), by Gauss-Legendre panels; error about
/// 1e-14.
double bivariate_normal_cdf(double x, double y, double rho);
/// European option on the larger (`best`) or smaller of two lognormals with the given means,
/// variances of the logs and correlation (Stulz 1982, eq. 11; Johnson 1987).
double two_asset_extreme(bool best, double sign, const double (&forwards)[2], double strike,
                         const double (&variances)[2], double rho, double discount);

}  // namespace gsim::pricing
