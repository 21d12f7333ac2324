#pragma once
// The Taylor series of the trades' gains in the changes of the risk factors, from central
// differences of their values: first and second derivatives with respect to every factor, and mixed
// ones with respect to two spots on which a trade depends.

#include <vector>

#include "src/modules/pricing/risk/risk_options.hpp"

namespace gsim::pricing {

/// A second derivative of one trade with respect to two different factors.
struct MixedDerivative {
  std::size_t first = 0, second = 0;  ///< factors
  double value = 0;
};

/// The derivatives of one trade, of the whole quantity, with respect to the changes of a Scenario:
/// those of spots are relative.
struct TradeSensitivities {
  std::vector<double> first, second;  ///< [factor]
  std::vector<MixedDerivative> mixed;
  /// The gain of second order after the changes of a scenario.
  double gain(const std::vector<double>& changes) const;
};

class SensitivityPlan {
 public:
  SensitivityPlan() = default;
  /// For the factors with a deviation, with the sizes of [pricing.bumps].
  SensitivityPlan(const PricingConfig& config, const RiskOptions& options);

  /// The scenarios whose gains give the derivatives.
  const std::vector<Scenario>& scenarios() const { return scenarios_; }
  /// The derivatives of each of `columns` trades, or totals of trades, from their `gains` in these
  /// scenarios, [scenario][column].
  std::vector<TradeSensitivities> derivatives(const std::vector<double>& gains,
                                              std::size_t columns) const;

 private:
  /// Factors with scenarios of their own (first == second), or pairs of them.
  struct Difference {
    std::size_t first = 0, second = 0;
    std::size_t scenario = 0;  ///< the first of the two, or four, scenarios
  };
  void add(const std::vector<std::size_t>& factors, const std::vector<double>& signs);

  std::vector<double> sizes_;  ///< [factor] 0: not changed
  std::vector<Difference> differences_;
  std::vector<Scenario> scenarios_;
};

}  // namespace gsim::pricing
