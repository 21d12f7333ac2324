#pragma once
// Random parameters, near those of an example, for checks of the functions of a potential.

#include <cmath>
#include <span>
#include <vector>

#include "gsim/engine/numeric_checks.hpp"
#include "gsim/md/pair_potentials/pair_potential.hpp"

namespace gsim::md {

/// `base` with each number changed randomly by up to a tenth. An integer without a unit may be an
/// exponent; it is kept or increased by 1.
inline std::vector<double> drawn_near(std::span<const double> base,
                                      std::span<const PotentialParameter> parameters,
                                      UniformSequence& draw) {
  std::vector<double> values;
  for (std::size_t k = 0; k < base.size(); ++k) {
    const bool may_be_exponent =
        parameters[k].unit == ParameterUnit::none && base[k] == std::floor(base[k]);
    const double u = draw(-0.1, 0.1);
    values.push_back(may_be_exponent ? base[k] + (u > 0 ? 1 : 0) : base[k] * (1 + u));
  }
  return values;
}

}  // namespace gsim::md
