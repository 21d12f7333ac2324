#include "src/modules/transport/tallies/filters/mesh_filter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::transport {
namespace {

void describe_mesh_filter(Section& s, FilterConfig& c) {
  std::string mesh;
  s.optional("mesh", mesh, {.doc = "name of the [[mesh]] whose bins are tallied"});
  if (!mesh.empty()) c.names = {mesh};
}

FilterBins bins_of_mesh(const FilterConfig& c, const FilterSystem& system) {
  const std::string& name = c.names.front();
  const auto mesh = std::ranges::find(system.meshes, name, &FilterSystem::Mesh::name);
  if (mesh == system.meshes.end()) {
    std::vector<std::string> known;
    for (const FilterSystem::Mesh& m : system.meshes) known.push_back(m.name);
    c.keys.fail("mesh", fmt::format("there is no mesh `{}`", name),
                suggest_known(name, known, "there are"));
  }
  FilterBins bins;
  bins.quantity = mesh->is_cylindrical ? "cylindrical_mesh" : "rectilinear_mesh";
  bins.bins = mesh->bins;
  bins.mesh = mesh - system.meshes.begin();
  bins.word = "mesh";
  bins.plural_word = "bins";
  bins.openmc.type = "mesh";
  return bins;
}

}  // namespace

const FilterKind mesh_filter{
    .name = "mesh",
    .doc = "bins of a mesh",
    .describe = describe_mesh_filter,
    .bins = bins_of_mesh,
    .columns = {"x", "y", "z", "r", "phi", "x_cm", "y_cm", "z_cm", "r_cm", "phi_degree"},
    .position = 6,
    .number = 7};

void register_mesh_filter(Registry& registry) { registry.extend(mesh_filter); }

}  // namespace gsim::transport
