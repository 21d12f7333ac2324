#pragma once
// The space between two coaxial cylinders, or two concentric circles in a plane.

#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {

class CylinderSpace : public SpaceDistribution {
 public:
  enum class Shape {
    cylinder,
    disk  ///< a cylinder of length 0, without the key `length`
  };
  CylinderSpace(Section& s, Shape shape) {
    const bool is_disk = shape == Shape::disk;
    required_point(s, "center", center_,
                   is_disk ? "the centre" : "centre of the cylinder, at half of its length");
    s.optional("axis", axis_, {.doc = is_disk ? "the normal" : "the axis"});
    radii_.describe(s, InnerRadius::optional);
    if (!is_disk) required_length(s, "length", length_, "length along the axis");
    keys_ = s.locations();
  }
  void set(Source& source) const override {
    radii_.validate(keys_);
    source.space = SourceSpace::cylinder;
    source.length = length_;
    source.normal = unit_vector(keys_, "axis", axis_);
    source.inner = radii_.inner * radii_.inner;
    source.outer = radii_.outer * radii_.outer;
    source.origin = along(vector_of(center_), -length_ / 2, source.normal);
  }

 private:
  Point center_{}, axis_{0, 0, 1};
  double length_ = 0;
  Radii radii_;
  KeyLocations keys_;
};

}  // namespace gsim::transport
