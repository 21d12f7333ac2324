#pragma once
// What a material does when it fills all space: multiplication factor and spectrum, from its
// matrices, without any sampling.

#include <optional>
#include <vector>

#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

struct InfiniteMedium {
  double k = 0;
  std::vector<double> flux;  ///< per group; the sum is 1
};

/// The largest k and its flux of total flux_g = sum over h of (scatter from h to g) flux_h + 1/k
/// (fission), of a completed material; nothing where it does not fission, or where neutrons are not
/// lost at all (the balance has no solution).
std::optional<InfiniteMedium> infinite_medium(const Material& material);

}  // namespace gsim::transport
