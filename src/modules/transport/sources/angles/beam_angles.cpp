#include "src/modules/transport/sources/angles/axis.hpp"

namespace gsim::transport {
namespace {

class BeamAngles : public AngleDistribution {
 public:
  explicit BeamAngles(Section& s) : axis_(s, "the direction") {}
  void set(Source& source) const override {
    source.angle = SourceAngle::beam;
    axis_.set(source);
  }

 private:
  DirectionAxis axis_;
};

std::unique_ptr<AngleDistribution> describe_beam(Section& s) {
  return std::make_unique<BeamAngles>(s);
}

}  // namespace

void register_beam_angles(Registry& registry) {
  registry.extend(AngleKind{"beam", "one direction", describe_beam});
}

}  // namespace gsim::transport
