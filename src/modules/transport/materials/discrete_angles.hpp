#pragma once
// Discrete cosines in the place of an expansion that is negative somewhere: the Gauss quadrature
// that belongs to its moments, as in multigroup Monte Carlo since MORSE (L. L. Carter and C. A.
// Forest, "Transfer matrix treatments for multigroup Monte Carlo calculations", LA-4990 (1972)).
//
// A transport equation knows the expansion by its moments alone, those beyond the order being 0. So
// the cosines keep the given moments, and as many of the zeros behind them as a positive
// distribution can have.

#include <optional>
#include <span>
#include <vector>

namespace gsim::transport {

struct DiscreteAngles {
  std::vector<double> cosines;  ///< rising, in [-1, 1]
  std::vector<double> weights;  ///< positive; their sum is 1
  int moments = 0;              ///< Legendre moments that are kept, the zeros included
};

/// The cosines for Legendre moments f_0 = 1, f_1, …, at most 16 of them; nothing when no
/// distribution has these moments.
std::optional<DiscreteAngles> discrete_angles(std::span<const double> moments);

}  // namespace gsim::transport
