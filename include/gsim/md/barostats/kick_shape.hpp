#pragma once
// The half kick of an integrator while a barostat changes the box.

namespace gsim::md {

/// Half a kick along each axis is v = decay v + kick f F, where f F is the change of velocity of
/// half a kick at constant box. decay = kick = 1 if the box does not change.
struct KickShape {
  double decay[3] = {1, 1, 1};
  double kick[3] = {1, 1, 1};
};

}  // namespace gsim::md
