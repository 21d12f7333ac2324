#pragma once
// Probabilities of the first default of two parties.

#include <vector>

#include "src/modules/pricing/curves/credit_curve.hpp"

namespace gsim::pricing {

/// The probabilities that `first` defaults between successive `times`, increasing from 0, and
/// `second` has not defaulted before it: the integrals of
///   P(second defaults after t | first defaults at t) dP(first defaults until t).
/// The times of default have a Gaussian copula with the given correlation (Li 2000, "On default
/// correlation: a copula function approach", Journal of Fixed Income 9(4), 43; for bilateral
/// adjustments Brigo and Capponi 2010, "Bilateral counterparty risk with application to CDSs", Risk
/// 23(3), 85): with x = N^-1(P(first survives t)) and y = N^-1(P(second survives t)), the
/// conditional probability is N((y - correlation x) / sqrt(1 - correlation^2)).
std::vector<double> first_defaults(const CreditCurve& first, const CreditCurve& second,
                                   double correlation, const std::vector<double>& times);

}  // namespace gsim::pricing
