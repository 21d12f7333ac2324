#pragma once
// Discrete cosines that replace an expansion with negative densities: the Gauss quadrature of its
// moments, as in multigroup Monte Carlo since MORSE (L. L. Carter and C. A. Forest, "Transfer
// matrix treatments for multigroup Monte Carlo calculations", LA-4990 (1972)).
//
// In the transport equation the expansion appears through its moments alone; those beyond the order
// are 0. The cosines keep the given moments, and as many of the zeros beyond them as a positive
// distribution can have. Higher moments are not zero, so the problem differs from that of the
// truncated expansion; it is the nearest problem that can be solved with particles of positive
// weight, and the difference depends on the anisotropy of the flux. Of Sood's problems (Prog. Nucl.
// Energy 42 (2003) 55), all critical, number 34, a slab of 0.8 mean free paths whose two cosines
// keep moments up to the third, has k = 1.0009(3); discrete ordinates on one mesh give 1.0005 for
// these cosines and 0.9997 for the truncated expansion. For number 37 only the mean cosine 0.855
// can be kept: k = 1.02. The truncated expansion itself would need weights of both signs. Fission
// neutrons inherit the signs, and without cancellation the positive and negative parts grow faster
// than their sum.

#include <optional>
#include <span>
#include <vector>

namespace gsim::transport {

struct DiscreteAngles {
  std::vector<double> cosines;  ///< ascending, in [-1, 1]
  std::vector<double> weights;  ///< positive; their sum is 1
  int moments = 0;              ///< number of Legendre moments kept, zeros included
};

/// The cosines for Legendre moments f_0 = 1, f_1, …, at most 16; nothing when no distribution has
/// these moments.
std::optional<DiscreteAngles> discrete_angles(std::span<const double> moments);

}  // namespace gsim::transport
