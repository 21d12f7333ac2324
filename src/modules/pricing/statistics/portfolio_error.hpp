#pragma once
// The value of a portfolio with its standard error, and the trades that need no further samples.
//
// The value is V = sum over trades t of q_t (mean x_t - beta_t (mean y_t - E y_t)), and trade t has
// samples in n_t blocks. Trades are sampled on the same random numbers, so that their errors are
// correlated: the variance of V follows from totals over trades, batch by batch. Batch k of m_k
// blocks contributes
//   L_k = sum over the trades with samples in it of q_t m_k (x_tk - beta_t y_tk) / n_t,
// and V = sum over k of L_k, but for constants. Batches are independent. Those in which the same
// trades are sampled form a stratum s of K_s batches and M_s blocks; in it, L_k / m_k have a common
// expectation and the variance sigma_s^2 / m_k, so that
//   Var V = sum over s of M_s sigma_s^2,
//   sigma_s^2 = 1 / (K_s - 1) sum over k of m_k (L_k / m_k - u_s)^2, u_s = sum of L_k / M_s
// (batch means, Law, "Simulation Modeling and Analysis", 2015, section 9.5.3; stratified sums,
// Cochran, "Sampling Techniques", 1977, theorem 5.3), for any numbers of samples of the trades. The
// degrees of freedom are those of Satterthwaite (1946). The variance of a
// stratum of a single batch is unknown, and so is that of V then. With Sobol points the batches are
// the replicates, which are independent and have the same trades.

#include <cstdint>
#include <span>
#include <vector>

#include "src/modules/pricing/statistics/sample_sums.hpp"

namespace gsim::pricing {

/// What a trade adds to the value of the portfolio.
struct PortfolioTrade {
  bool is_counted = false;  ///< otherwise it is left out of the value
  double value = 0;         ///< q_t times its estimate
  double quantity = 0;      ///< q_t
  double beta = 0;          ///< coefficient of its control variate
  /// Standard error of `value`; NaN if it is unknown.
  double standard_error = 0;
  /// The stated error is larger than the one from the spread of the samples, because few samples
  /// contribute, or the control explains all but few. The difference is added to sqrt(Var V), as if
  /// all trades of this kind were fully correlated: they may depend on the same rare paths.
  bool is_widened = false;
  double cost = 1;  ///< of a sample, in any unit that all trades have
};

/// A portfolio's value. The error does not include those of trades whose error is unknown.
struct PortfolioValue {
  double value = 0, standard_error = 0;
  Index unknown_errors = 0;  ///< number of these trades
  Index degrees_of_freedom = 0;
  Index counted = 0;  ///< number of trades that it includes
};

/// The samples of a portfolio, which must outlive this object.
class PortfolioError {
 public:
  PortfolioError(const SampleSums& sums, std::span<const PortfolioTrade> trades);

  PortfolioValue value() const;

  /// The trades, flagged with 1, that need no samples up to the next evaluation point, where the
  /// error of the value must not exceed `target`. Least total cost for independent trades needs the
  /// errors e_t^2 = s_t sqrt(c_t) target^2 / W, W = sum over t of s_t sqrt(c_t), where s_t is the
  /// standard deviation and c_t the cost of a sample (optimal allocation, Cochran 1977, eq. 5.23).
  /// Trades are taken in the order of what a sample gains for its cost, e_t / sqrt(n_t c_t),
  /// smallest first, and as many of them rest as have a variance of their common value (in which
  /// they may be correlated) of at most their part of target^2.
  std::vector<std::uint8_t> resting(double target) const;

 private:
  struct Stratum {
    std::size_t first = 0, last = 0;  ///< slots
    double blocks = 0;
  };
  struct Variance {
    double value = 0, degrees = 0;
  };
  void find_batches();
  void find_replicates();
  /// What the error of a widened trade exceeds the spread of its batches by.
  double excess(std::size_t trade) const;
  /// Adds L_k of one trade to `totals`, [slot].
  void add(std::size_t trade, std::vector<double>& totals) const;
  Variance variance(const std::vector<double>& totals) const;

  const SampleSums* sums_;
  std::span<const PortfolioTrade> trades_;
  std::vector<double> weights_;       ///< [slot] m_k
  std::vector<std::size_t> slot_at_;  ///< slot of the batch that begins with a block
  std::vector<Stratum> strata_;
};

}  // namespace gsim::pricing
