#include "src/modules/transport/sources/spaces/cylinder_space.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<SpaceDistribution> describe_cylinder(Section& s) {
  return std::make_unique<CylinderSpace>(s, CylinderSpace::Shape::cylinder);
}

}  // namespace

void register_cylinder_space(Registry& registry) {
  registry.extend(SpaceKind{"cylinder", "a cylinder, full or hollow", describe_cylinder});
}

}  // namespace gsim::transport
