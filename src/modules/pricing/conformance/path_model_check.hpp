#pragma once
// What a path model must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::pricing {

/// Makes the comparisons of check_payoff_prices() with the subject's example, and reports whether
/// the discounted spots of its assets with this model have today's spot as their mean, where the
/// model is said to be a martingale, within five standard errors; and whether each number among its
/// keys, set to values far outside its domain, is refused or priced.
void check_path_model_prices(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::pricing
