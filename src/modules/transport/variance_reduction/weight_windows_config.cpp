#include "src/modules/transport/variance_reduction/weight_windows_config.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "src/modules/transport/variance_reduction/weight_windows.hpp"

namespace gsim::transport {
namespace {

constexpr Index most_boxes = 100000000;

void describe_generator(Section& s, WindowGeneratorConfig& c) {
  s.optional("iterations", c.iterations,
             {.doc = "times that windows are made anew; each reaches further",
              .minimum = 1,
              .maximum = 10000});
  s.optional(
      "batches", c.batches,
      {.doc = "of each iteration; their scatter tells errors", .minimum = 2, .maximum = 1e6});
  s.optional("particles", c.particles,
             {.doc = "of each batch; left out or 0: as many as in those that count",
              .minimum = 0,
              .maximum = 0x1p40});
  s.optional("max_relative_error", c.largest_relative_error,
             {.doc = "boxes and groups whose flux is known less well get no window",
              .minimum = 0,
              .maximum = 1,
              .exclusive_minimum = true});
}

void describe_bounds(Section& s, WindowsConfig& c) {
  s.optional("upper_ratio", c.upper_ratio,
             {.doc = "upper over lower bounds: heavier particles are split",
              .minimum = 1,
              .maximum = 1e6,
              .exclusive_minimum = true});
  s.optional("survival_ratio", c.survival_ratio,
             {.doc = "what weighs less than the lower bound goes on with this times the bound, or "
                     "ends",
              .minimum = 1,
              .maximum = 1e6});
  s.optional(
      "max_split", c.max_split,
      {.doc = "particles that one becomes at a time, at most", .minimum = 2, .maximum = 1e6});
  if (s.describing()) return;
  c.has_upper_ratio = s.has("upper_ratio");
  c.has_survival_ratio = s.has("survival_ratio");
  if (c.survival_ratio > c.upper_ratio)
    s.fail("survival_ratio",
           fmt::format("survival_ratio {:g} is above upper_ratio {:g}", c.survival_ratio,
                       c.upper_ratio),
           "who survives would be split at once; give a smaller one");
}

void take_mesh(const Section& s, std::span<const MeshConfig> meshes, const std::string& name,
               WindowsConfig& c) {
  std::vector<std::string> known;
  for (const MeshConfig& mesh : meshes) known.push_back(mesh.name);
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end())
    s.fail("mesh", fmt::format("there is no mesh `{}`", name),
           suggest_known(name, known, "there are"));
  c.mesh = meshes[static_cast<std::size_t>(found - known.begin())];
  if (c.mesh.kind != TallyMeshKind::rectilinear)
    s.fail("mesh", fmt::format("mesh `{}` is cylindrical", name),
           "windows stand on regular or rectilinear meshes");
}

void take_edges(const Section& s, const char* key, const std::vector<double>& edges,
                std::vector<double>& bounds) {
  bounds = edges;
  if (edges.size() == 1) s.fail(key, "one plane makes no box", "give at least two");
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (!(edges[i - 1] < edges[i]))
      s.fail(key, fmt::format("planes must rise: {} is followed by {}", edges[i - 1], edges[i]));
}

void take_lower(const Section& s, const std::vector<std::vector<double>>& boxes, Index groups,
                WindowsConfig& c) {
  if (static_cast<Index>(boxes.size()) != c.mesh.bins())
    s.fail("lower",
           fmt::format("there are bounds of {} boxes, and {} boxes", boxes.size(), c.mesh.bins()),
           "give a list of bounds by group for each box, those along x first");
  for (const std::vector<double>& box : boxes) {
    if (static_cast<Index>(box.size()) != groups)
      s.fail("lower",
             fmt::format("a box has bounds of {} groups, and there are {}", box.size(), groups));
    for (const double bound : box)
      if (!(bound >= 0 && std::isfinite(bound)))
        s.fail("lower", fmt::format("{} is no bound of a weight", bound),
               "give positive ones, and 0 where there is no window");
    c.lower.insert(c.lower.end(), box.begin(), box.end());
  }
}

void describe_table(Section& s, std::span<const MeshConfig> meshes, Index groups,
                    WindowsConfig& c) {
  std::string mesh, file;
  std::vector<double> edges[3];
  std::vector<std::vector<double>> lower;
  static constexpr const char* axes[] = {"x", "y", "z"};
  s.optional("mesh", mesh, {.doc = "a regular or rectilinear [[mesh]] by its name"});
  for (std::size_t a = 0; a < 3; ++a)
    s.optional(axes[a], edges[a],
               {.doc = fmt::format("planes along {}, in place of mesh; left out: no end", axes[a]),
                .unit = "cm"});
  s.optional("lower", lower,
             {.doc = "lower bounds: of each box, x fastest, then y, then z, a list of numbers by "
                     "group; 0: no window. A particle of a source starts with the weight 1"});
  s.optional("file", file,
             {.doc = "results of a run that had windows, in place of mesh, planes and lower"});
  describe_bounds(s, c);
  c.is_generated = s.optional_table(
      "generator", [&](Section& t) { describe_generator(t, c.generator); },
      "makes windows from the flux by the method MAGIC, before the batches that count");
  if (s.describing()) return;
  c.where = s.location(mesh.empty() ? "" : "mesh");
  if ((lower.empty() ? 0 : 1) + (file.empty() ? 0 : 1) + (c.is_generated ? 1 : 0) != 1)
    s.fail("generator", "windows come from one of `lower`, `file` and `generator`",
           "give one of them");
  const bool has_edges = !edges[0].empty() || !edges[1].empty() || !edges[2].empty();
  if ((mesh.empty() ? 0 : 1) + (has_edges ? 1 : 0) + (file.empty() ? 0 : 1) != 1)
    s.fail("mesh", "boxes come from one of `mesh`, planes (x, y, z) and `file`",
           "give one of them");
  if (!file.empty()) {
    const std::string path = s.input_hdf5("file", file);
    try {
      read_windows(path, groups, c);
    } catch (const InputError& error) {
      s.fail("file", error.what());
    }
    return;
  }
  if (!mesh.empty()) take_mesh(s, meshes, mesh, c);
  if (has_edges)
    for (std::size_t a = 0; a < 3; ++a) take_edges(s, axes[a], edges[a], c.mesh.bounds[a]);
  if (c.mesh.bins() > most_boxes / std::max(Index{1}, groups))
    s.fail(mesh.empty() ? "x" : "mesh", fmt::format("there are more than {} windows", most_boxes),
           "give fewer boxes: as wide as a mean free path is fine enough");
  if (!lower.empty()) take_lower(s, lower, groups, c);
}

}  // namespace

std::uint64_t WindowsConfig::digest() const {
  if (lower.empty()) return 0;
  Digest digest;
  for (const auto& bounds : mesh.bounds) digest.add(std::span<const double>(bounds));
  digest.add(upper_ratio).add(survival_ratio);
  return digest.add(std::span<const double>(lower)).value();
}

void describe_windows(Section& top, std::span<const MeshConfig> meshes, Index groups,
                      WindowsConfig& config) {
  config = {};
  config.is_set = top.optional_table(
      "weight_windows", [&](Section& s) { describe_table(s, meshes, groups, config); },
      "bounds of weights on a mesh: heavier particles are split, lighter ones play roulette. They "
      "are looked at where collisions happen, where cells begin and at the planes of the mesh; "
      "with "
      "tracking = \"delta\" at all possible collisions");
}

}  // namespace gsim::transport
