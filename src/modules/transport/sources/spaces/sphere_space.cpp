#include "src/modules/transport/sources/spaces/ball_space.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<SpaceDistribution> describe_sphere(Section& s) {
  return std::make_unique<BallSpace>(s, false);
}

}  // namespace

void register_sphere_space(Registry& registry) {
  registry.extend(SpaceKind{"sphere", "a full sphere", describe_sphere});
}

}  // namespace gsim::transport
