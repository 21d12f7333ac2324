#pragma once
// Credit curves: the probabilities that an issuer has not defaulted, and credit default swaps.

#include <utility>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/pricing/market/term_structure.hpp"

namespace gsim::pricing {

/// The distribution of the time of an issuer's default, by its hazard rate, a function of time.
/// Times are years from today.
class CreditCurve {
 public:
  CreditCurve() = default;
  explicit CreditCurve(StepFunction hazard_rate) : hazard_rate_(std::move(hazard_rate)) {}

  /// The default intensity at t of an issuer that has not defaulted before, 1/year.
  double hazard_rate(double t) const { return hazard_rate_.value(t); }
  /// The probability of no default until t >= 0.
  double survival(double t) const;
  /// The probability, today, of a default between `from` and `to` >= `from`.
  double default_probability(double from, double to) const;

 private:
  StepFunction hazard_rate_;
};

/// A period of a credit default swap: what is paid for a spread of 1.
struct CdsPeriod {
  double accrual;        ///< years, paid at the end
  double payment;        ///< time of the payment
  double survived;       ///< time until which the issuer must have survived for it
  double accrual_start;  ///< time from which the premium accrues
  double accrual_rate;   ///< years of accrual per year of time
  double default_from;   ///< a default from this time on
  double default_to;     ///< to this time pays what has accrued
};

/// A credit default swap that pays 1 - recovery at a default and receives a premium: at the end of
/// each period and, accrued, at default.
struct CreditDefaultSwap {
  std::vector<CdsPeriod> periods;
  double protection_start = 0, protection_end = 0;
  double accrued = 0,
         accrued_payment = 0;  ///< years of accrual that the buyer is paid back, and when

  /// The last time at which the probability of survival is needed.
  double last_time() const;
};

/// The spread at which a credit default swap has no value. Hazard and interest rates are taken as
/// constant between the times at which they change; integrals over the time of default are then
/// exact (ISDA CDS Standard Model; White 2013, "The pricing and risk management of credit default
/// swaps, with a focus on the ISDA model", OpenGamma, section 3, with the accrual on default of
/// version 1.8.2).
double par_spread(const CreditDefaultSwap& swap, const StepFunction& hazard_rate,
                  const StepFunction& rate, double recovery);

struct BootstrappedHazard {
  StepFunction hazard_rate;  ///< constant between the last times of the swaps
  Index unmet_quote = -1;    ///< position of a spread that no hazard rate meets; -1: there is none
};

/// The hazard rates, from 0 to 10, that give each swap its quoted spread up to rounding. Last times
/// are positive and increasing.
BootstrappedHazard bootstrap_hazard(const std::vector<CreditDefaultSwap>& swaps,
                                    const std::vector<double>& spreads, const StepFunction& rate,
                                    double recovery);

}  // namespace gsim::pricing
