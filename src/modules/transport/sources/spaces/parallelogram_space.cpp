#include "src/modules/transport/sources/spaces/vectors.hpp"

namespace gsim::transport {
namespace {

class ParallelogramSpace : public SpaceDistribution {
 public:
  explicit ParallelogramSpace(Section& s) {
    required_point(s, "corner", corner_, "a corner of the parallelogram");
    required_point(s, "edge_1", edge_1_, "edge from the corner to an adjacent corner");
    required_point(
        s, "edge_2", edge_2_,
        "edge from the corner to the other adjacent corner; the normal is edge_1 x edge_2");
    keys_ = s.locations();
  }
  void set(Source& source) const override {
    source.origin = vector_of(corner_);
    source.edge[0] = vector_of(edge_1_);
    source.edge[1] = vector_of(edge_2_);
    source.normal = cross_product(source.edge[0], source.edge[1]);
    if (!(dot(source.normal, source.normal) > 0))
      keys_.fail("edge_2", "edge_1 and edge_2 are parallel", "they span the parallelogram");
    source.normal = unit(source.normal);
  }

 private:
  Point corner_{}, edge_1_{}, edge_2_{};
  KeyLocations keys_;
};

std::unique_ptr<SpaceDistribution> describe_parallelogram(Section& s) {
  return std::make_unique<ParallelogramSpace>(s);
}

}  // namespace

void register_parallelogram_space(Registry& registry) {
  registry.extend(SpaceKind{"parallelogram", "a parallelogram in a plane", describe_parallelogram});
}

}  // namespace gsim::transport
