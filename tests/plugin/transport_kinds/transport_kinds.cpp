// A plugin with a surface and a tally score of module transport. The environment variable
// KINDS_FAULT selects an error.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/transport/score_kind.hpp>
#include <gsim/transport/surface_kind.hpp>

namespace {

using gsim::Section;

bool is_selected(std::string_view fault) {
  const char* const selected = std::getenv("KINDS_FAULT");
  return selected != nullptr && fault == selected;
}
void throw_if_selected(std::string_view place) {
  if (is_selected(place)) throw std::out_of_range("the kind fails as selected");
}

/// |x|^4 + |y|^4 + |z|^4 = radius^4
gsim::transport::SurfaceShape describe_rounded_cube(Section& s) {
  double radius = 1;
  throw_if_selected("surface");
  s.required("radius", radius,
             {.doc = "half of the width along each axis",
              .unit = "cm",
              .minimum = 0,
              .exclusive_minimum = true});
  const auto [x, y, z] = gsim::transport::coordinates();
  const auto fourth = [](const auto& u) { return u * u * u * u; };
  return {{}, fourth(x) + fourth(y) + fourth(z) - radius * radius * radius * radius};
}

std::vector<double> describe_detector(Section& s) {
  std::vector<double> efficiency;
  s.required("efficiency", efficiency, {.doc = "detector efficiency by group", .minimum = 0});
  return efficiency;
}

void detector_response(std::span<const double> efficiency, const gsim::transport::ScoreMaterial& m,
                       std::span<double> response) {
  throw_if_selected("score");
  for (std::size_t g = 0; g < response.size() && g < efficiency.size(); ++g)
    response[g] = is_selected("not a number") ? std::numeric_limits<double>::quiet_NaN()
                                              : efficiency[g] * m.absorption[g];
}

// The example that `gsim plugin check` runs for both.
constexpr const char* example = R"(
module = "transport"
[transport]
mode = "fixed_source"
particles = 400
batches = 6
[[material]]
name = "water"
capture = [0.1]
scatter = [[0.4]]
[[surface]]
name = "edge"
kind = "rounded_cube"
radius = 3.0
boundary = "vacuum"
[[cell]]
name = "block"
region = "-edge"
fill = "water"
[[source]]
space = {kind = "point", position = [0.0, 0.0, 0.0]}
[[score]]
name = "counts"
kind = "detector"
efficiency = [0.5]
[[tally]]
name = "block"
scores = ["absorption", "counts"]
cells = ["block"]
)";

}  // namespace

GSIM_PLUGIN("transport_kinds", "1", "MIT", "a surface and a score", [](gsim::Registry& registry) {
  registry.extend(
      gsim::transport::SurfaceKind{.name = is_selected("name in use") ? "sphere" : "rounded_cube",
                                   .doc = "a cube with rounded edges, positive outside",
                                   .describe = describe_rounded_cube,
                                   .example = example});
  registry.extend(gsim::transport::ScoreKind{"detector", "absorptions counted by a detector", "1",
                                             describe_detector, detector_response, example});
})
