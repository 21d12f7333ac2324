#pragma once
// SVI and SABR smiles through quotes of one expiry: the sum of squared differences of implied
// volatilities is minimal.

#include <cstddef>
#include <string>
#include <vector>

#include "src/modules/pricing/volatility/smile.hpp"

namespace gsim::pricing {

/// An implied volatility at k = ln(K / F).
struct MoneynessQuote {
  double k, volatility;
};

/// What a warning should say of a fit.
struct FitRemarks {
  bool has_converged = true;
  std::vector<std::string> at_bounds;  ///< parameters that end at a bound of the fit
};

/// Raw SVI with slopes of both wings between 0 and 2 (Lee 2004) and a positive total variance;
/// the best of fits from several starts. At least five quotes, with increasing k.
SviTerms fit_svi(const std::vector<MoneynessQuote>& quotes, double expiry,
                 FitRemarks* remarks = nullptr);
inline constexpr std::size_t svi_parameters = 5;

/// SABR with the given beta. At least three quotes, with increasing k.
SabrTerms fit_sabr(const std::vector<MoneynessQuote>& quotes, double forward, double expiry,
                   double beta, FitRemarks* remarks = nullptr);
inline constexpr std::size_t sabr_parameters = 3;

}  // namespace gsim::pricing
