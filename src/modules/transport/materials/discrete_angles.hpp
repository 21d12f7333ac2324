#pragma once
// Discrete cosines in the place of an expansion that is negative somewhere: the Gauss quadrature
// that belongs to its moments, as in multigroup Monte Carlo since MORSE (L. L. Carter and C. A.
// Forest, "Transfer matrix treatments for multigroup Monte Carlo calculations", LA-4990 (1972)).
//
// A transport equation knows the expansion by its moments alone, those beyond the order being 0. So
// the cosines keep the given moments, and as many of the zeros behind them as a positive
// distribution can have. The moments behind those are not zero, so this is another problem than
// that of the cut expansion, as near to it as particles of positive weight come. How near depends
// on how anisotropic the flux is. Of Sood's problems (Prog. Nucl. Energy 42 (2003) 55), all
// critical, number 34, a slab of 0.8 free paths, whose two cosines keep moments up to the third,
// has k = 1.0009(3); discrete ordinates of one mesh give 1.0005 for these cosines and 0.9997 for
// the cut expansion. Of number 37 only the mean cosine 0.855 can be kept: k = 1.02. The cut
// expansion itself would need weights of both signs, which fission passes on: without a way to
// cancel them they grow faster than what they are to add up to.

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
