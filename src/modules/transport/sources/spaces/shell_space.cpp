#include "src/modules/transport/sources/spaces/ball_space.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<SpaceDistribution> describe_shell(Section& s) {
  return std::make_unique<BallSpace>(s, InnerRadius::required);
}

}  // namespace

void register_shell_space(Registry& registry) {
  registry.extend(SpaceKind{"shell", "between two spheres", describe_shell});
}

}  // namespace gsim::transport
