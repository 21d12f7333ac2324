#pragma once
// A drop of liquid in its vapour: the usual start of a study of surfaces, and the usual trial of a
// load balancer.

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct DropletOptions {
  double radius = 0;
  double liquid_density = 0;      ///< atoms per volume: fcc inside the radius
  double vapour_density = 0;      ///< simple cubic outside of it; 0: a vacuum
  Vector3 lengths{};              ///< of the periodic box
  Vector3 centre{0.5, 0.5, 0.5};  ///< of the drop, in fractions of the lengths
};

/// The atoms of both, all of type 0, those of the drop first. InputError unless the drop and its
/// periodic images keep apart.
AtomSystem make_droplet(const DropletOptions& options);

}  // namespace gsim::md
