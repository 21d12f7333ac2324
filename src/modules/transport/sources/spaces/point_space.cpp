#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {
namespace {

class PointSpace : public SpaceDistribution {
 public:
  explicit PointSpace(Section& s) { required_point(s, "position", position_, "the point"); }
  void set(Source& source) const override {
    source.origin = vector_of(position_);
    source.normal = {0, 0, 0};
  }

 private:
  Point position_{};
};

std::unique_ptr<SpaceDistribution> describe_point(Section& s) {
  return std::make_unique<PointSpace>(s);
}

}  // namespace

void register_point_space(Registry& registry) {
  registry.extend(SpaceKind{"point", "a point", describe_point});
}

}  // namespace gsim::transport
