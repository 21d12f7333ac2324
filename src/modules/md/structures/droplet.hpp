#pragma once
// A droplet of liquid in its vapour: an initial configuration for studies of surfaces, and a test
// case of load balancing.

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct DropletOptions {
  double radius = 0;
  double liquid_density = 0;  ///< atoms per volume within the radius, on an fcc lattice
  double vapour_density = 0;  ///< atoms per volume outside, on a simple cubic lattice; 0: vacuum
  Vector3 lengths{};          ///< edges of the periodic box
  Vector3 centre{0.5, 0.5, 0.5};  ///< centre of the droplet, in fractions of the lengths
};

/// The atoms of both phases, those of the droplet first, all of type 0. InputError if the droplet
/// touches its periodic images.
AtomSystem make_droplet(const DropletOptions& options);

}  // namespace gsim::md
