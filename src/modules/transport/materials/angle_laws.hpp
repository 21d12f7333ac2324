#pragma once
// Conversion of Legendre moments to the distributions of scattering angles that kernels sample:
// linear densities, polynomial densities (sampled by rejection, with an upper bound for each bin of
// the cosine), or discrete cosines.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/transport/materials/material_view.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// The arrays of angular distributions under construction.
struct AngleTables {
  std::vector<AngleLaw> laws;
  std::vector<AngleSlot> slots;
  std::vector<double> coefficients;
};

/// A distribution of the scattering cosine mu: linear, or an entry of AngleTables::laws.
struct AngularDistribution {
  double slope = 0;         ///< of a linear distribution: f(mu) = (1 + slope mu) / 2
  std::int32_t index = -1;  ///< index in AngleTables::laws; -1: it is linear
};

/// The angular distribution with f_l = moments[l], moments[0] = 1; appended to `tables` where it is
/// not linear. If the density is negative at some cosine, returns nothing under
/// NegativeScattering::refuse, with the cosine in `problem`; otherwise discrete cosines replace it
/// (discrete_angles.hpp), or nothing is returned when no distribution has these moments. OpenMC
/// tabulates expansions and sets negative values to 0, which changes all moments and so the physics
/// without notice; gsim does not.
std::optional<AngularDistribution> make_angular_distribution(std::span<const double> moments,
                                                             NegativeScattering negative,
                                                             AngleTables& tables,
                                                             std::string& problem);

}  // namespace gsim::transport
