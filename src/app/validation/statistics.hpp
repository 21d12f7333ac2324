#pragma once
// Probability distributions for tests of the deviations of many validation cases together.

#include "gsim/core/types.hpp"

namespace gsim::app {

/// Regularised lower incomplete gamma function P(a, x), a > 0; 0 for x <= 0.
double incomplete_gamma(double a, double x);

/// Regularised incomplete beta function I_x(a, b), a and b > 0.
double incomplete_beta(double x, double a, double b);

/// The standard normal number that is as improbable as `t` is under Student's t with `degrees` of
/// freedom (0: infinitely many, t itself): an error estimated from few replicates makes large t
/// likelier than a normal table says (tail probability: Abramowitz and Stegun 1964, 26.7.1).
double normal_score(double t, double degrees);

/// Welch (1947) and Satterthwaite (1946): degrees of freedom of the variance first + second, two
/// independent estimates with degrees of their own (0: infinitely many, also of the result).
double combined_degrees(double first, double first_degrees, double second, double second_degrees);

}  // namespace gsim::app
