#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {
namespace {

class SphereSurfaceSpace : public SpaceDistribution {
 public:
  explicit SphereSurfaceSpace(Section& s) {
    required_point(s, "center", center_, "the centre");
    required_length(s, "radius", radius_, "radius");
  }
  void set(Source& source) const override {
    source.space = SourceSpace::sphere_surface;
    source.origin = vector_of(center_);
    source.outer = radius_;
  }

 private:
  Point center_{};
  double radius_ = 0;
};

std::unique_ptr<SpaceDistribution> describe_sphere_surface(Section& s) {
  return std::make_unique<SphereSurfaceSpace>(s);
}

}  // namespace

void register_sphere_surface_space(Registry& registry) {
  registry.extend(SpaceKind{"sphere_surface", "the surface of a sphere", describe_sphere_surface});
}

}  // namespace gsim::transport
