#include "src/modules/transport/sources/spaces/ball_space.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<SpaceDistribution> describe_sphere(Section& s) {
  return std::make_unique<BallSpace>(s, InnerRadius::optional);
}

}  // namespace

void register_sphere_space(Registry& registry) {
  registry.extend(SpaceKind{"sphere", "a sphere, full or hollow", describe_sphere});
}

}  // namespace gsim::transport
