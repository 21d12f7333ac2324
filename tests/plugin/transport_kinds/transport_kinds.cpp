// A plugin with a surface and a score of module transport. The environment variable KINDS selects a
// fault.
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

bool told(std::string_view fault) {
  const char* const wish = std::getenv("KINDS");
  return wish != nullptr && fault == wish;
}
void fail_if_told(std::string_view place) {
  if (told(place)) throw std::out_of_range("the kind was told to fail");
}

/// |x|^4 + |y|^4 + |z|^4 = radius^4
gsim::transport::SurfaceShape describe_rounded_cube(Section& s) {
  double radius = 1;
  fail_if_told("surface");
  s.required("radius", radius,
             {.doc = "half its width", .unit = "cm", .minimum = 0, .exclusive_minimum = true});
  const auto [x, y, z] = gsim::transport::coordinates();
  const auto fourth = [](const auto& u) { return u * u * u * u; };
  return {{}, fourth(x) + fourth(y) + fourth(z) - radius * radius * radius * radius};
}

std::vector<double> describe_detector(Section& s) {
  std::vector<double> efficiency;
  s.required("efficiency", efficiency, {.doc = "by group", .minimum = 0});
  return efficiency;
}

void count(std::span<const double> efficiency, const gsim::transport::ScoreMaterial& m,
           std::span<double> response) {
  fail_if_told("score");
  for (std::size_t g = 0; g < response.size() && g < efficiency.size(); ++g)
    response[g] = told("not a number") ? std::numeric_limits<double>::quiet_NaN()
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
  registry.extend(gsim::transport::SurfaceKind{told("sphere") ? "sphere" : "rounded_cube",
                                               "positive outside", describe_rounded_cube, example});
  registry.extend(gsim::transport::ScoreKind{"detector", "what a detector counts", "1",
                                             describe_detector, count, example});
})
