#pragma once
// From Legendre moments to what kernels sample: a linear law, a polynomial under bounds by bins, or
// discrete cosines.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/transport/materials/material_view.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// Arrays of angle laws as they grow.
struct AngleTables {
  std::vector<AngleLaw> laws;
  std::vector<AngleSlot> slots;
  std::vector<double> coefficients;
};

struct ChosenAngle {
  double slope = 0;         ///< of a linear law
  std::int32_t angle = -1;  ///< index of another law
};

/// The law of f_l = moments[l], moments[0] = 1, added to `tables` where it is not linear. Where the
/// density is negative at some cosine, returns nothing under NegativeScattering::refuse, and says
/// in `problem` where; otherwise discrete cosines take its place (discrete_angles.hpp), or nothing
/// when none have these moments. OpenMC turns expansions into tables and sets what is negative in
/// them to 0, which changes all moments and so the physics, in silence; gsim does not.
std::optional<ChosenAngle> choose_angle(std::span<const double> moments,
                                        NegativeScattering negative, AngleTables& tables,
                                        std::string& problem);

}  // namespace gsim::transport
