#include "src/modules/pricing/curves/credit_curve.hpp"

#include <algorithm>
#include <cmath>

#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/curves/find_root.hpp"

namespace gsim::pricing {
namespace {

/// (1 - exp(-x)) / x, the mean of exp(-x u) over u from 0 to 1.
double mean_decay(double x) {
  if (std::fabs(x) > 1e-2) return (1 - exponential(-x)) / x;
  return 1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5 * (1 - x / 6 * (1 - x / 7)))));
}

/// The mean of u exp(-x u) over u from 0 to 1.
double mean_linear_decay(double x) {
  if (std::fabs(x) > 0.1) return (mean_decay(x) - exponential(-x)) / x;
  double sum = 0, term = 1;  // of (-x)^k / (k! (k + 2))
  for (int k = 0; k < 12; ++k) {
    sum += term / (k + 2);
    term *= -x / (k + 1);
  }
  return sum;
}

/// Interest and hazard rates, and the times at which one of them changes.
class DefaultableDiscounts {
 public:
  DefaultableDiscounts(const StepFunction& hazard, const StepFunction& rate)
      : hazard_(hazard), rate_(rate), knots_(hazard.knots()) {
    const std::vector<double> rate_knots = rate.knots();
    knots_.insert(knots_.end(), rate_knots.begin(), rate_knots.end());
    std::sort(knots_.begin(), knots_.end());
  }

  double discount(double t) const { return exponential(-rate_.integral(t)); }
  double survival(double t) const { return exponential(-hazard_.integral(t)); }

  /// The value of a payment at a default between `from` and `to`, of `amount` + `rise` times the
  /// time since `from`.
  double at_default(double from, double to, double amount, double rise) const {
    double sum = 0, begin = from;
    for (std::size_t i = 0; begin < to; ++i) {
      const double end = i < knots_.size() ? std::min(knots_[i], to) : to;
      if (end <= begin) continue;
      const double hazard = hazard_.integral(begin, end);
      const double decay = hazard + rate_.integral(begin, end);
      const double paid = (amount + rise * (begin - from)) * mean_decay(decay) +
                          rise * (end - begin) * mean_linear_decay(decay);
      sum += discount(begin) * survival(begin) * hazard * paid;
      begin = end;
    }
    return sum;
  }

 private:
  const StepFunction& hazard_;
  const StepFunction& rate_;
  std::vector<double> knots_;
};

}  // namespace

double CreditCurve::survival(double t) const { return exponential(-hazard_rate_.integral(t)); }

double CreditCurve::default_probability(double from, double to) const {
  const double total = hazard_rate_.integral(from, to);
  return survival(from) * total * mean_decay(total);
}

double CreditDefaultSwap::last_time() const {
  double last = protection_end;
  for (const CdsPeriod& p : periods) last = std::max({last, p.survived, p.default_to});
  return last;
}

double par_spread(const CreditDefaultSwap& swap, const StepFunction& hazard_rate,
                  const StepFunction& rate, double recovery) {
  const DefaultableDiscounts curves(hazard_rate, rate);
  const double protection =
      curves.at_default(swap.protection_start, swap.protection_end, 1 - recovery, 0);
  double premium = -swap.accrued * curves.discount(swap.accrued_payment);
  for (const CdsPeriod& p : swap.periods)
    premium +=
        p.accrual * curves.discount(p.payment) * curves.survival(p.survived) +
        curves.at_default(p.default_from, p.default_to,
                          p.accrual_rate * (p.default_from - p.accrual_start), p.accrual_rate);
  return protection / premium;
}

BootstrappedHazard bootstrap_hazard(const std::vector<CreditDefaultSwap>& swaps,
                                    const std::vector<double>& spreads, const StepFunction& rate,
                                    double recovery) {
  constexpr double highest_hazard = 10;
  BootstrappedHazard result;
  std::vector<double> ends, hazards;
  for (std::size_t i = 0; i < swaps.size(); ++i) {
    ends.push_back(swaps[i].last_time());
    hazards.push_back(0);
    const auto error = [&](double hazard) {
      hazards.back() = hazard;
      return par_spread(swaps[i], StepFunction(ends, hazards), rate, recovery) - spreads[i];
    };
    const std::optional<double> root = find_root(error, 0, highest_hazard);
    if (!root) {
      result.unmet_quote = static_cast<Index>(i);
      return result;
    }
    hazards.back() = *root;
  }
  result.hazard_rate = StepFunction(ends, hazards);
  return result;
}

}  // namespace gsim::pricing
