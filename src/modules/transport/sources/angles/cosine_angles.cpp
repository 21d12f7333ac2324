#include "src/modules/transport/sources/angles/axis.hpp"

namespace gsim::transport {
namespace {

class CosineAngles : public AngleDistribution {
 public:
  explicit CosineAngles(Section& s) : axis_(s, "the axis") {}
  void set(Source& source) const override {
    source.angle = SourceAngle::cosine;
    axis_.set(source);
  }

 private:
  DirectionAxis axis_;
};

std::unique_ptr<AngleDistribution> describe_cosine(Section& s) {
  return std::make_unique<CosineAngles>(s);
}

}  // namespace

void register_cosine_angles(Registry& registry) {
  registry.extend(AngleKind{
      "cosine",
      "density in proportion to the cosine with the axis: an isotropic flux through a surface",
      describe_cosine});
}

}  // namespace gsim::transport
