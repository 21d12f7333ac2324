#pragma once
// Multiplication factor and spectrum of an infinite medium of one material, from its cross
// sections, without sampling.

#include <optional>
#include <vector>

#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

struct InfiniteMedium {
  double k = 0;
  std::vector<double> flux;  ///< by group; the sum is 1
};

/// The largest k and its flux, for a completed material, from the balance in each group g: total_g
/// flux_g = sum over h of (scatter from h to g) flux_h + 1/k (fission neutrons born in g). Nothing
/// where the material is not fissile, or where no neutrons are lost (the balance has no solution).
std::optional<InfiniteMedium> infinite_medium(const Material& material);

}  // namespace gsim::transport
