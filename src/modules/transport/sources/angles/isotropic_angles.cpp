#include "src/modules/transport/sources/angles/axis.hpp"

namespace gsim::transport {
namespace {

class IsotropicAngles : public AngleDistribution {
 public:
  void set(Source& source) const override { source.angle = SourceAngle::isotropic; }
};

std::unique_ptr<AngleDistribution> describe_isotropic(Section& /*s*/) {
  return std::make_unique<IsotropicAngles>();
}

}  // namespace

void register_isotropic_angles(Registry& registry) {
  registry.extend(AngleKind{"isotropic", "isotropic", describe_isotropic});
}

}  // namespace gsim::transport
