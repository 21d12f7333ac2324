#pragma once
// The half kick of an integrator while a barostat changes the box.

namespace gsim::md {

/// A half kick replaces each component of a velocity by v = decay v + kick dv, where dv is its
/// change by a half kick at constant box. decay = kick = 1 if the box does not change.
struct HalfKick {
  double decay[3] = {1, 1, 1};
  double kick[3] = {1, 1, 1};
};

}  // namespace gsim::md
