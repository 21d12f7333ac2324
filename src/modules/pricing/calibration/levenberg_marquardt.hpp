#pragma once
// Nonlinear least squares for the calibration of models.

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace gsim::pricing {

/// A parameter of a fit: where it starts, and its bounds, which may be reached.
struct FitParameter {
  double start = 0, lower = 0, upper = 0;
};

struct Fit {
  std::vector<double> parameters;
  std::vector<double> residuals;
  int iterations = 0;
  bool has_converged = false;  ///< false: the largest number of iterations was reached
  double root_mean_square() const;
};

/// Sets `residuals`, each finite, for the parameters, which are within their bounds.
using FitResiduals =
    std::function<void(std::span<const double> parameters, std::span<double> residuals)>;

/// The parameters within their bounds that minimise the sum of squared residuals, at a local
/// minimum (Marquardt 1963, "An algorithm for least-squares estimation of nonlinear parameters",
/// SIAM Journal 11, 431; steps are projected onto the bounds as by Kanzow, Yamashita and Fukushima
/// 2004, Journal of Computational and Applied Mathematics 172, 375). Derivatives are difference
/// quotients. All decisions follow from the numbers alone, so that the result has the same bits on
/// every machine if the residuals have.
Fit levenberg_marquardt(const FitResiduals& evaluate, const std::vector<FitParameter>& parameters,
                        std::size_t residuals);

}  // namespace gsim::pricing
