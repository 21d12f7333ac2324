#include "src/modules/transport/sources/spaces/cylinder_space.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<SpaceDistribution> describe_disk(Section& s) {
  return std::make_unique<CylinderSpace>(s, CylinderSpace::Shape::disk);
}

}  // namespace

void register_disk_space(Registry& registry) {
  registry.extend(SpaceKind{"disk", "a disk, full or hollow", describe_disk});
}

}  // namespace gsim::transport
