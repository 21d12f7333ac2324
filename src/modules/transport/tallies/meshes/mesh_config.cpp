#include <cmath>

#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {
namespace {

constexpr double max_coordinate = 1e15;  // cm: larger coordinates are taken to be mistakes
constexpr Index max_bins = 100000;

/// Checks that the bounds under `key` ascend and make at least one bin.
void check_bins(const Section& s, const char* key, const std::vector<double>& bounds) {
  if (bounds.size() == 1) s.fail(key, "one bound makes no bin", "give at least two");
  check_bounds(s, key, bounds);
}

void optional_bounds(Section& s, const char* key, std::vector<double>& bounds, const char* doc,
                     const char* unit, double minimum = -max_coordinate,
                     double maximum = max_coordinate) {
  s.optional(key, bounds, {.doc = doc, .unit = unit, .minimum = minimum, .maximum = maximum});
}

void describe_regular(Section& s, MeshConfig& mesh) {
  s.required("lower_left", mesh.lower,
             {.doc = "corner with the smallest coordinates, x, y, z, or x, y, or x; the mesh is "
                     "unbounded in those left out",
              .unit = "cm",
              .minimum = -max_coordinate,
              .maximum = max_coordinate,
              .min_size = 1,
              .max_size = 3});
  s.required("upper_right", mesh.upper,
             {.doc = "corner with the largest coordinates",
              .unit = "cm",
              .minimum = -max_coordinate,
              .maximum = max_coordinate,
              .min_size = 1,
              .max_size = 3});
  s.required("shape", mesh.shape,
             {.doc = "numbers of bins along these coordinates",
              .minimum = 1,
              .maximum = static_cast<double>(max_bins),
              .min_size = 1,
              .max_size = 3});
}

void validate_regular(const Section& s, MeshConfig& mesh) {
  const auto &lower = mesh.lower, &upper = mesh.upper;
  const std::vector<Index>& shape = mesh.shape;
  mesh.is_regular = true;
  if (upper.size() != lower.size() || shape.size() != lower.size())
    s.fail(upper.size() != lower.size() ? "upper_right" : "shape",
           fmt::format("lower_left has {} numbers, upper_right {} and shape {}", lower.size(),
                       upper.size(), shape.size()),
           "give the three keys the same number of values");
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
    check_bins(s, "shape", mesh.bounds[k]);
  }
}

void describe_rectilinear(Section& s, MeshConfig& mesh) {
  optional_bounds(s, "x", mesh.bounds[0], "x coordinates of the planes; left out: unbounded", "cm");
  optional_bounds(s, "y", mesh.bounds[1], "y coordinates of the planes", "cm");
  optional_bounds(s, "z", mesh.bounds[2], "z coordinates of the planes", "cm");
}

void validate_rectilinear(const Section& s, MeshConfig& mesh) {
  check_bins(s, "x", mesh.bounds[0]);
  check_bins(s, "y", mesh.bounds[1]);
  check_bins(s, "z", mesh.bounds[2]);
}

void describe_cylindrical(Section& s, MeshConfig& mesh) {
  mesh.kind = TallyMeshKind::cylindrical;
  optional_bounds(s, "r", mesh.bounds[0], "radii of the cylinders; left out: unbounded", "cm", 0);
  optional_bounds(
      s, "phi", mesh.bounds[1],
      "azimuths of the half-planes about the axis, from x towards y (axis z), y towards "
      "z (x), z towards x (y); left out: the full turn",
      "degree", -360, 360);
  optional_bounds(s, "z", mesh.bounds[2],
                  "positions of the planes perpendicular to the axis, relative to the origin",
                  "cm");
  std::array<double, 3> origin{};
  s.optional("origin", origin, {.doc = "a point of the axis", .unit = "cm"});
  mesh.origin = {origin[0], origin[1], origin[2]};
  static constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
  s.optional_word("axis", mesh.along, axes, {.doc = "direction of the axis"});
}

void validate_cylindrical(const Section& s, MeshConfig& mesh) {
  check_bins(s, "r", mesh.bounds[0]);
  check_bins(s, "phi", mesh.bounds[1]);
  check_bins(s, "z", mesh.bounds[2]);
  auto& phi = mesh.bounds[1];
  if (phi.empty()) return;
  if (phi.back() - phi.front() > 360)
    s.fail("phi", fmt::format("azimuths cover more than a full turn, from {} to {}", phi.front(),
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
  s.required("name", mesh.name, {.doc = "name of the mesh in tallies"});
  const auto form = [&mesh](void (*describe)(Section&, MeshConfig&),
                            void (*validate)(const Section&, MeshConfig&)) {
    return validated([&mesh, describe](Section& a) { describe(a, mesh); },
                     [&mesh, validate](const Section& a) { validate(a, mesh); });
  };
  s.alternatives(
      "kind",
      {{"regular", "a box divided into equal bins", form(describe_regular, validate_regular)},
       {"rectilinear", "planes perpendicular to x, y and z at any positions",
        form(describe_rectilinear, validate_rectilinear)},
       {"cylindrical", "cylinders and half-planes about an axis, and planes perpendicular to it",
        form(describe_cylindrical, validate_cylindrical)}},
      0, {.doc = "form of the mesh"});
}

void validate_mesh(const Section& s, MeshConfig& mesh) {
  mesh.where = s.location("name");
  if (mesh.name.empty()) s.fail("name", "a mesh needs a name");
  if (mesh.bounds[0].empty() && mesh.bounds[1].empty() && mesh.bounds[2].empty())
    s.fail("kind", "the mesh has no bounds", "give bounds of one dimension at least");
}

}  // namespace

void describe_meshes(Section& top, std::vector<MeshConfig>& meshes) {
  top.tables<MeshConfig>("mesh", meshes, validated(describe_mesh, validate_mesh),
                         "meshes of the filters of tallies");
}

}  // namespace gsim::transport
