#pragma once
// Half a kick while a barostat changes the box.

namespace gsim::md {

/// Half a kick along each axis is v = decay v + kick f F, where f F is the change of velocity of
/// half a kick at constant box; 1 and 1 where the box stays.
struct KickShape {
  double decay[3] = {1, 1, 1};
  double kick[3] = {1, 1, 1};
};

}  // namespace gsim::md
