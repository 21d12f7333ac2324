#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/transport/sources/angles/axis.hpp"

namespace gsim::transport {
namespace {

class ConeAngles : public AngleDistribution {
 public:
  explicit ConeAngles(Section& s) : axis_(s, "the axis of the cone") {
    s.required("half_angle", degrees_,
               {.doc = "angle between the axis and the edge of the cone; 90: a half-space",
                .unit = "degree",
                .minimum = 0,
                .maximum = 180,
                .exclusive_minimum = true});
  }
  void set(Source& source) const override {
    source.angle = SourceAngle::cone;
    axis_.set(source);
    source.smallest_cosine = gsim::sincospi<Strict>(degrees_ / 180).cos;
  }

 private:
  DirectionAxis axis_;
  double degrees_ = 90;
};

std::unique_ptr<AngleDistribution> describe_cone(Section& s) {
  return std::make_unique<ConeAngles>(s);
}

}  // namespace

void register_cone_angles(Registry& registry) {
  registry.extend(AngleKind{"cone", "isotropic within a cone", describe_cone});
}

}  // namespace gsim::transport
