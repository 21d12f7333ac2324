#pragma once
// The space between two concentric spheres.

#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {

class BallSpace : public SpaceDistribution {
 public:
  BallSpace(Section& s, InnerRadius inner_radius) {
    required_point(s, "center", center_, "the centre");
    radii_.describe(s, inner_radius);
    keys_ = s.locations();
  }
  void set(Source& source) const override {
    radii_.validate(keys_);
    source.space = SourceSpace::ball;
    source.origin = vector_of(center_);
    // Cubes of the radii, between which the cube of the distance is uniform.
    source.inner = radii_.inner * radii_.inner * radii_.inner;
    source.outer = radii_.outer * radii_.outer * radii_.outer;
  }

 private:
  Point center_{};
  Radii radii_;
  KeyLocations keys_;
};

}  // namespace gsim::transport
