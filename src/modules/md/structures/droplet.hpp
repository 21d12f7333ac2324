#pragma once
// A drop of liquid in its vapour: the usual initial configuration of studies of surfaces, and a
// test case of load balancing.

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct DropletOptions {
  double radius = 0;
  double liquid_density = 0;      ///< atoms per volume: fcc inside the radius
  double vapour_density = 0;      ///< simple cubic outside of it; 0: a vacuum
  Vector3 lengths{};              ///< of the periodic box
  Vector3 centre{0.5, 0.5, 0.5};  ///< of the drop, in fractions of the lengths
};

/// The atoms of both phases, all of type 0, those of the drop first. InputError where the drop
/// touches its periodic images.
AtomSystem make_droplet(const DropletOptions& options);

}  // namespace gsim::md
