#pragma once
// [coulomb]: the interaction of charges.

#include <cmath>

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/long_range/ewald_config.hpp"

namespace gsim::md {

enum class CoulombMethod { ewald, reaction_field, damped_shifted_force, cut, none };

struct CoulombConfig {
  CoulombMethod method = CoulombMethod::ewald;
  double cutoff = 0;         ///< cutoff of pairs; 0 (method none, no [coulomb]): no interaction
  double closest = 0;        ///< smallest distance of two charged atoms; 0: cutoff / 20
  double permittivity = 1;   ///< relative, of the whole system: Coulomb's constant is divided by it
  double medium = HUGE_VAL;  ///< reaction_field: relative permittivity beyond the cutoff
  double alpha = 0;          ///< damped_shifted_force: damping of the charges, 1/length
  EwaldConfig ewald;
  SourceLocation where = {}, cutoff_at = {};  ///< locations of the keys method and cutoff

  bool is_on() const { return cutoff > 0; }
  /// The energy of two unit charges at unit distance: Units::coulomb over the permittivity.
  double constant(const Units& units) const { return units.coulomb / permittivity; }
};

void describe_coulomb(Section& section, CoulombConfig& config);

}  // namespace gsim::md
