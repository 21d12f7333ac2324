#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {
namespace {

class BoxSpace : public SpaceDistribution {
 public:
  explicit BoxSpace(Section& s) {
    required_point(s, "lower", lower_, "corner with the smallest coordinates");
    required_point(s, "upper", upper_, "corner with the largest coordinates");
    keys_ = s.locations();
  }
  void set(Source& source) const override {
    source.origin = vector_of(lower_);
    source.normal = {0, 0, 0};
    const Vector3 size = vector_of(upper_) - source.origin;
    if (!(size.x >= 0 && size.y >= 0 && size.z >= 0))
      keys_.fail("upper", "a coordinate of upper is below that of lower");
    source.edge[0] = {size.x, 0, 0};
    source.edge[1] = {0, size.y, 0};
    source.edge[2] = {0, 0, size.z};
  }

 private:
  Point lower_{}, upper_{};
  KeyLocations keys_;
};

std::unique_ptr<SpaceDistribution> describe_box(Section& s) {
  return std::make_unique<BoxSpace>(s);
}

}  // namespace

void register_box_space(Registry& registry) {
  registry.extend(SpaceKind{"box", "a box with edges along x, y and z", describe_box});
}

}  // namespace gsim::transport
