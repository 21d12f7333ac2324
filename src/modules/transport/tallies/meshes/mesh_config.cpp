#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {
namespace {

constexpr double longest = 1e15;  // cm: larger coordinates are taken to be mistakes
constexpr Index max_bins = 100000;

/// Checks that the bounds under `key` ascend and make at least one bin.
void check_bounds(const Section& s, const char* key, const std::vector<double>& bounds) {
  if (bounds.size() == 1) s.fail(key, "one bound makes no bin", "give at least two");
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (!(bounds[i - 1] < bounds[i]))
      s.fail(key, fmt::format("bounds must rise: {} is followed by {}", bounds[i - 1], bounds[i]));
}

void optional_bounds(Section& s, const char* key, std::vector<double>& bounds, const char* doc,
                     const char* unit, double minimum = -longest, double maximum = longest) {
  s.optional(key, bounds, {.doc = doc, .unit = unit, .minimum = minimum, .maximum = maximum});
  if (!s.describing()) check_bounds(s, key, bounds);
}

void describe_regular(Section& s, MeshConfig& mesh) {
  std::vector<double> lower, upper;
  std::vector<Index> shape;
  s.required("lower_left", lower,
             {.doc = "corner with the smallest coordinates: x, y, z, or x, y, or x alone; the mesh "
                     "has no end in those left out",
              .unit = "cm",
              .minimum = -longest,
              .maximum = longest,
              .min_size = 1,
              .max_size = 3});
  s.required("upper_right", upper,
             {.doc = "corner with the largest coordinates",
              .unit = "cm",
              .minimum = -longest,
              .maximum = longest,
              .min_size = 1,
              .max_size = 3});
  s.required("shape", shape,
             {.doc = "bins along each of them",
              .minimum = 1,
              .maximum = static_cast<double>(max_bins),
              .min_size = 1,
              .max_size = 3});
  if (s.describing()) return;
  mesh.is_regular = true;
  if (upper.size() != lower.size() || shape.size() != lower.size())
    s.fail(upper.size() != lower.size() ? "upper_right" : "shape",
           fmt::format("lower_left has {} numbers, upper_right {} and shape {}", lower.size(),
                       upper.size(), shape.size()),
           "give as many of each");
  for (std::size_t k = 0; k < lower.size(); ++k) {
    if (!(lower[k] < upper[k]))
      s.fail(
          "upper_right",
          fmt::format("the mesh reaches from {} to {} cm along {}", lower[k], upper[k], "xyz"[k]),
          "each number of upper_right must be above that of lower_left");
    const double width = (upper[k] - lower[k]) / static_cast<double>(shape[k]);
    for (Index i = 0; i < shape[k]; ++i)
      mesh.bounds[k].push_back(std::fma(static_cast<double>(i), width, lower[k]));
    mesh.bounds[k].push_back(upper[k]);
    check_bounds(s, "shape", mesh.bounds[k]);
  }
}

void describe_rectilinear(Section& s, MeshConfig& mesh) {
  optional_bounds(s, "x", mesh.bounds[0], "planes along x; left out: no end", "cm");
  optional_bounds(s, "y", mesh.bounds[1], "planes along y", "cm");
  optional_bounds(s, "z", mesh.bounds[2], "planes along z", "cm");
}

void describe_cylindrical(Section& s, MeshConfig& mesh) {
  mesh.kind = TallyMeshKind::cylindrical;
  optional_bounds(s, "r", mesh.bounds[0], "radii; left out: no end", "cm", 0);
  optional_bounds(s, "phi", mesh.bounds[1],
                  "azimuths about the axis, from x towards y (axis z), y towards z (x), z towards "
                  "x (y); left out: the whole turn",
                  "degree", -360, 360);
  optional_bounds(s, "z", mesh.bounds[2], "planes across the axis, from the origin on", "cm");
  std::vector<double> origin(3, 0.0);
  s.optional("origin", origin,
             {.doc = "a point of the axis", .unit = "cm", .min_size = 3, .max_size = 3});
  static constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
  s.optional_word("axis", mesh.along, axes, {.doc = "along which the axis lies"});
  if (s.describing()) return;
  mesh.origin = {origin[0], origin[1], origin[2]};
  auto& phi = mesh.bounds[1];
  if (phi.empty()) return;
  if (phi.back() - phi.front() > 360)
    s.fail("phi", fmt::format("azimuths reach over more than a turn, from {} to {}", phi.front(),
                              phi.back()));
  if (phi.size() == 2 && phi.back() - phi.front() == 360) phi.clear();
  for (std::size_t i = 1; i < phi.size(); ++i)
    if (phi[i] - phi[i - 1] > 180)
      s.fail("phi",
             fmt::format("the bin from {} to {} degrees is wider than half a turn", phi[i - 1],
                         phi[i]),
             "divide it in two");
}

void describe_mesh(Section& s, MeshConfig& mesh) {
  mesh = {};
  s.required("name", mesh.name, {.doc = "by which tallies name it"});
  s.alternatives("kind",
                 {{"regular", "a box divided into equal parts",
                   [&](Section& a) { describe_regular(a, mesh); }},
                  {"rectilinear", "planes along x, y and z at any places",
                   [&](Section& a) { describe_rectilinear(a, mesh); }},
                  {"cylindrical", "cylinders and half-planes about an axis, planes across it",
                   [&](Section& a) { describe_cylindrical(a, mesh); }}},
                 0, {.doc = "how space is divided"});
  if (s.describing()) return;
  mesh.where = s.location("name");
  if (mesh.name.empty()) s.fail("name", "a mesh needs a name");
  if (mesh.bounds[0].empty() && mesh.bounds[1].empty() && mesh.bounds[2].empty())
    s.fail("kind", "the mesh divides nothing", "give bounds of one dimension at least");
}

}  // namespace

void describe_meshes(Section& top, std::vector<MeshConfig>& meshes) {
  top.tables<MeshConfig>("mesh", meshes, describe_mesh, "a division of space for tallies");
  if (top.describing()) return;
  for (std::size_t i = 0; i < meshes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (meshes[i].name == meshes[j].name)
        throw ConfigError(meshes[i].where,
                          fmt::format("two meshes have the name `{}`", meshes[i].name),
                          "give each its own name");
}

}  // namespace gsim::transport
