#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/transport/source_kind.hpp>

GSIM_DECLARE_SOURCE(skeleton_sample)

namespace {

// Describes each key once, for reading, messages and `gsim schema`.
std::vector<double> describe(gsim::Section& s, std::int32_t groups) {
  std::vector<double> position{0, 0, 0};
  double preference = 0;
  gsim::Index group = 1;
  s.optional("position", position,
             {.doc = "position of the source point", .unit = "cm", .min_size = 3, .max_size = 3});
  s.required("preference", preference,
             {.doc = "factor a of the density (1 + a mu) / 2, mu being the cosine with the z axis",
              .minimum = -1,
              .maximum = 1});
  s.optional("group", group,
             {.doc = "energy group of the particles",
              .minimum = 1,
              .maximum = static_cast<double>(groups)});
  return {position[0], position[1], position[2], preference, static_cast<double>(group - 1)};
}

// The example that `gsim plugin check` runs.
constexpr const char* example = R"(
module = "transport"
[transport]
mode = "fixed_source"
particles = 500
batches = 6
[[material]]
name = "water"
capture = [0.1]
scatter = [[0.4]]
[[surface]]
name = "edge"
kind = "sphere"
radius = 3.0
boundary = "vacuum"
[[cell]]
name = "ball"
region = "-edge"
fill = "water"
[[source]]
sampler = {kind = "skeleton", preference = 0.5}
[[tally]]
name = "ball"
scores = ["flux"]
cells = ["ball"]
)";

}  // namespace

GSIM_PLUGIN("skeleton", "0.1", "MIT",
            "a transport source: a point with linearly anisotropic directions",
            [](gsim::Registry& registry) {
              registry.extend(gsim::transport::SourceKind{
                  "skeleton", "a point that emits more particles to one side along the z axis",
                  describe, gsim::skeleton_sample, example});
            })
