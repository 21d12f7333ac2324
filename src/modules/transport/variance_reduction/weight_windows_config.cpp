#include "src/modules/transport/variance_reduction/weight_windows_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "src/modules/transport/variance_reduction/weight_windows.hpp"

namespace gsim::transport {
namespace {

constexpr Index max_windows = 100000000;

void describe_generator(Section& s, WindowGeneratorConfig& c) {
  s.optional("iterations", c.iterations,
             {.doc = "number of iterations, each of which covers more of the mesh",
              .minimum = 1,
              .maximum = 10000});
  s.optional("batches", c.batches,
             {.doc = "number of batches per iteration; errors are estimated from their scatter",
              .minimum = 2,
              .maximum = 1e6});
  s.optional("particles", c.particles,
             {.doc = "number of particles per batch; 0: as many as in tallied batches",
              .minimum = 0,
              .maximum = 0x1p40});
  s.optional("max_relative_error", c.largest_relative_error,
             {.doc = "largest relative error of the flux in a bin and group for which a window "
                     "is set",
              .minimum = 0,
              .maximum = 1,
              .exclusive_minimum = true});
}

void describe_bounds(Section& s, WindowsConfig& c) {
  s.optional("upper_ratio", c.upper_ratio,
             {.doc = "ratio of upper to lower bounds; particles of larger weights are split",
              .minimum = 1,
              .maximum = 1e6,
              .exclusive_minimum = true});
  s.optional("survival_ratio", c.survival_ratio,
             {.doc = "weight after Russian roulette, as a multiple of the lower bound, below which "
                     "particles undergo it",
              .minimum = 1,
              .maximum = 1e6});
  s.optional("max_split", c.max_split,
             {.doc = "largest number of particles that a particle is split into at once",
              .minimum = 2,
              .maximum = 1e6});
}

void find_mesh(std::span<const MeshConfig> meshes, WindowsConfig& c) {
  const std::string& name = c.mesh_name;
  std::vector<std::string> known;
  for (const MeshConfig& mesh : meshes) known.push_back(mesh.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    c.keys.fail("mesh", fmt::format("there is no mesh `{}`", name),
                suggest_known(name, known, "there are"));
  c.mesh = meshes[static_cast<std::size_t>(found - known.begin())];
  if (c.mesh.kind != TallyMeshKind::rectilinear)
    c.keys.fail("mesh", fmt::format("mesh `{}` is cylindrical", name),
                "windows need a regular or rectilinear mesh");
}

void validate_planes(const KeyLocations& keys, const char* key, const std::vector<double>& edges) {
  if (edges.size() == 1) keys.fail(key, "one plane does not bound a box", "give at least two");
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (!(edges[i - 1] < edges[i]))
      keys.fail(key,
                fmt::format("planes must ascend: {} is followed by {}", edges[i - 1], edges[i]));
}

void set_lower_bounds(Index groups, WindowsConfig& c) {
  const std::vector<std::vector<double>>& boxes = c.lower_boxes;
  if (static_cast<Index>(boxes.size()) != c.mesh.bins())
    c.keys.fail("lower",
                fmt::format("there are bounds for {} boxes, but the mesh has {}", boxes.size(),
                            c.mesh.bins()),
                "give a list of bounds by group for each box, those along x first");
  for (const std::vector<double>& box : boxes) {
    if (static_cast<Index>(box.size()) != groups)
      c.keys.fail("lower", fmt::format("a box has bounds for {} groups, but the materials have {}",
                                       box.size(), groups));
    for (const double bound : box)
      if (!(bound >= 0 && std::isfinite(bound)))
        c.keys.fail("lower", fmt::format("{} is not a bound of a weight", bound),
                    "give positive ones, and 0 where there is no window");
    c.lower.insert(c.lower.end(), box.begin(), box.end());
  }
}

constexpr const char* plane_keys[] = {"x", "y", "z"};

void describe_table(Section& s, WindowsConfig& c) {
  c.keys = s.locations();
  s.optional("mesh", c.mesh_name, {.doc = "name of a regular or rectilinear [[mesh]]"});
  for (std::size_t a = 0; a < 3; ++a)
    s.optional(plane_keys[a], c.planes[a],
               {.doc = fmt::format(
                    "positions of the planes along {}, in place of mesh; default: unbounded",
                    plane_keys[a]),
                .unit = "cm"});
  s.optional("lower", c.lower_boxes,
             {.doc = "lower bounds: a list of numbers by group for each bin of the mesh, x "
                     "fastest, then y, then z; 0: no window. Source particles have the weight 1"});
  s.optional("file", c.file,
             {.doc = "results file of a run with windows, in place of mesh, planes and lower"});
  describe_bounds(s, c);
  c.is_generated = s.optional_table(
      "generator", [&](Section& t) { describe_generator(t, c.generator); },
      "generation of windows from the flux by the method MAGIC, before the "
      "tallied batches");
}

void validate_table(const Section& s, WindowsConfig& c) {
  c.has_upper_ratio = s.has("upper_ratio");
  c.has_survival_ratio = s.has("survival_ratio");
  if (!c.file.empty()) c.file = s.input_hdf5("file", c.file);
}

void read_file(Index groups, WindowsConfig& c) {
  try {
    read_windows(c.file, groups, c);
  } catch (const InputError& error) {
    c.keys.fail("file", error.what());
  }
}

void set_mesh(std::span<const MeshConfig> meshes, Index groups, WindowsConfig& c) {
  if (!c.mesh_name.empty()) {
    find_mesh(meshes, c);
  } else {
    for (std::size_t a = 0; a < 3; ++a) {
      validate_planes(c.keys, plane_keys[a], c.planes[a]);
      c.mesh.bounds[a] = c.planes[a];
    }
  }
  if (c.mesh.bins() > max_windows / std::max(Index{1}, groups))
    c.keys.fail(c.mesh_name.empty() ? "x" : "mesh",
                fmt::format("there are more than {} windows", max_windows),
                "give fewer boxes: as wide as a mean free path is fine enough");
}

}  // namespace

std::uint64_t WindowsConfig::digest() const {
  if (lower.empty()) return 0;
  Digest digest;
  for (const auto& bounds : mesh.bounds) digest.add(std::span<const double>(bounds));
  digest.add(upper_ratio).add(survival_ratio);
  return digest.add(std::span<const double>(lower)).value();
}

void describe_windows(Section& top, WindowsConfig& config) {
  config = {};
  config.is_set = top.optional_table(
      "weight_windows",
      validated([&](Section& s) { describe_table(s, config); },
                [&](const Section& s) { validate_table(s, config); }),
      "bounds of weights on a mesh: particles of larger weights are split, those of smaller ones "
      "undergo Russian roulette. They are applied at collisions, at entries into cells and at the "
      "planes of the mesh; with tracking = \"delta\" at all possible collisions");
}

void validate_windows(std::span<const MeshConfig> meshes, Index groups, WindowsConfig& c) {
  if (!c.is_set) return;
  if (c.survival_ratio > c.upper_ratio)
    c.keys.fail("survival_ratio",
                fmt::format("survival_ratio {:g} is above upper_ratio {:g}", c.survival_ratio,
                            c.upper_ratio),
                "survivors would be split at once; give a smaller one");
  const bool has_lower = !c.lower_boxes.empty(), has_file = !c.file.empty();
  if ((has_lower ? 1 : 0) + (has_file ? 1 : 0) + (c.is_generated ? 1 : 0) != 1)
    c.keys.fail("generator", "windows come from one of `lower`, `file` and `generator`",
                "give one of them");
  const bool has_planes = !c.planes[0].empty() || !c.planes[1].empty() || !c.planes[2].empty();
  if ((c.mesh_name.empty() ? 0 : 1) + (has_planes ? 1 : 0) + (has_file ? 1 : 0) != 1)
    c.keys.fail("mesh", "boxes come from one of `mesh`, planes (x, y, z) and `file`",
                "give one of them");
  if (has_file) return read_file(groups, c);
  set_mesh(meshes, groups, c);
  if (has_lower) set_lower_bounds(groups, c);
}

}  // namespace gsim::transport
