#pragma once
// Conformance check of path models.

#include "gsim/engine/conformance.hpp"

namespace gsim::pricing {

/// Makes the comparisons of check_payoff_prices() with the subject's example. It also reports
/// whether the mean of the discounted spots of assets with this model is today's spot within five
/// standard errors, if the model is declared a martingale; and whether each of its numeric keys,
/// set to values far outside its domain, is rejected or priced.
void check_path_model_prices(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::pricing
