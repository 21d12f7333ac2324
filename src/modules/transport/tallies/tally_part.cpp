#include "src/modules/transport/tallies/tally_part.hpp"

#include <algorithm>

namespace gsim::transport {
namespace {

/// The bins [first, last) of `all` along one dimension of a table.
struct Extent {
  Index first = 0, last = 1, all = 1;
  Index count() const { return last - first; }
};

/// The bins of ascending `bounds` that intersect [lower, upper]; at least one.
Extent bins_within(const std::vector<double>& bounds, double lower, double upper) {
  Extent e;
  e.all = static_cast<Index>(bounds.size()) - 1;
  const auto first = std::lower_bound(bounds.begin() + 1, bounds.end() - 1, lower);
  const auto last = std::upper_bound(first, bounds.end() - 1, upper);
  e.first = first - bounds.begin() - 1;
  e.last = last - bounds.begin();
  return e;
}

/// The bins of a mesh that intersect a brick, by dimension.
std::array<Extent, 3> extents_of(const MeshConfig& mesh, const SampleBox& brick, double margin) {
  std::array<Extent, 3> extents;
  for (std::size_t k = 0; k < 3; ++k) {
    Extent& e = extents[k];
    e.last = e.all = mesh.bins(k);
    const bool has_plane_bounds = mesh.kind == TallyMeshKind::rectilinear || k == 2;
    if (mesh.bounds[k].empty() || !has_plane_bounds) continue;
    const bool is_cylindrical = mesh.kind == TallyMeshKind::cylindrical;
    const std::size_t axis = is_cylindrical ? static_cast<std::size_t>(mesh.along) : k;
    const double origin = is_cylindrical ? component(mesh.origin, mesh.along) : 0;
    e = bins_within(mesh.bounds[k], brick.lower[axis] - origin - margin,
                    brick.upper[axis] - origin + margin);
  }
  return extents;
}

using MeshExtents = std::vector<std::array<Extent, 3>>;

MeshExtents extents_of(const TallyPlan& plan, const SampleBox& brick, double margin) {
  MeshExtents all;
  for (const MeshConfig& mesh : plan.meshes) all.push_back(extents_of(mesh, brick, margin));
  return all;
}

/// The dimensions of a tally's table, the slowest first; scores are the last one.
std::vector<Extent> dimensions_of(const TallyModel& model, const MeshExtents& meshes) {
  std::vector<Extent> dimensions;
  for (const TallyAxis& axis : model.axes) {
    if (axis.mesh < 0) {
      dimensions.push_back({0, axis.bins, axis.bins});
      continue;
    }
    const auto& mesh = meshes[static_cast<std::size_t>(axis.mesh)];
    dimensions.insert(dimensions.end(), {mesh[2], mesh[1], mesh[0]});
  }
  dimensions.push_back({0, model.columns(), model.columns()});
  return dimensions;
}

Index values_of(const std::vector<Extent>& dimensions) {
  Index values = 1;
  for (const Extent& e : dimensions) values *= e.count();
  return values;
}

/// Appends the values of a table to the part: `dimensions` are those of dimensions_of(), and the
/// first value of the whole table has the index `first_in_all`.
void add_runs(const std::vector<Extent>& dimensions, Index first_in_all, TallyPart& part) {
  // The fastest dimensions of which the part has all bins form one run, together with the bins of
  // the next slower dimension that are in the part.
  std::size_t outer = dimensions.size();
  Index length = 1;
  while (outer > 0 && dimensions[outer - 1].count() == dimensions[outer - 1].all)
    length *= dimensions[--outer].all;
  Index offset = 0, stride = length;
  if (outer > 0) {
    const Extent& e = dimensions[--outer];
    offset = e.first * length;
    length *= e.count();
    stride *= e.all;
  }
  std::vector<Index> at(outer);
  for (std::size_t d = 0; d < outer; ++d) at[d] = dimensions[d].first;
  for (;;) {
    Index row = 0;
    for (std::size_t d = 0; d < outer; ++d) row = row * dimensions[d].all + at[d];
    part.runs.push_back({part.values, first_in_all + row * stride + offset, length});
    part.values += length;
    std::size_t d = outer;
    while (d > 0 && ++at[d - 1] == dimensions[d - 1].last) {
      at[d - 1] = dimensions[d - 1].first;
      --d;
    }
    if (d == 0) return;
  }
}

/// Sets the strides of filters in a part of the table; `filter_axes` are the axes of `filters`.
void set_strides(const TallyModel& model, const MeshExtents& meshes, std::span<TallyFilter> filters,
                 std::span<const std::int32_t> filter_axes) {
  std::vector<Index> strides(model.axes.size());
  Index stride = 1;
  for (std::size_t a = model.axes.size(); a-- > 0;) {
    const TallyAxis& axis = model.axes[a];
    strides[a] = stride;
    Index bins = axis.bins;
    if (axis.mesh >= 0) {
      const auto& m = meshes[static_cast<std::size_t>(axis.mesh)];
      bins = m[0].count() * m[1].count() * m[2].count();
    }
    stride *= bins;
  }
  for (std::size_t f = 0; f < filters.size(); ++f)
    filters[f].stride = strides[static_cast<std::size_t>(filter_axes[f])];
}

void restrict_to(TallyMesh& mesh, const std::array<Extent, 3>& extents) {
  for (std::int32_t d = 0; d < mesh.dimensions; ++d) {
    const Extent& e = extents[static_cast<std::size_t>(mesh.axis[d])];
    mesh.bins[d] = static_cast<std::int32_t>(e.count());
    mesh.first_edge[d] += e.first;
  }
}

}  // namespace

TallyPart whole_part(const TallyPlan& plan) {
  TallyPart part;
  part.values = plan.values;
  if (plan.values > 0) part.runs.push_back({0, 0, plan.values});
  part.tallies = plan.arrays.tallies;
  part.filters = plan.arrays.filters;
  part.meshes = plan.arrays.meshes;
  return part;
}

TallyPart part_in(const TallyPlan& plan, const SampleBox& brick, double margin) {
  TallyPart part = whole_part(plan);
  part.values = 0;
  part.runs.clear();
  const MeshExtents meshes = extents_of(plan, brick, margin);
  for (std::size_t m = 0; m < meshes.size(); ++m) restrict_to(part.meshes[m], meshes[m]);
  std::vector<Index> first_values;
  for (const TallyModel& model : plan.tallies) {
    first_values.push_back(part.values);
    add_runs(dimensions_of(model, meshes), model.first_value, part);
  }
  for (std::size_t t = 0; t < part.tallies.size(); ++t) {
    Tally& tally = part.tallies[t];
    const auto model = static_cast<std::size_t>(plan.arrays.models[t]);
    tally.first_value = first_values[model];
    const auto first = static_cast<std::size_t>(tally.first_filter);
    const Index all_filters =
        Index{tally.track_filters} + tally.level_filters + tally.dividing_filters;
    const auto filters = static_cast<std::size_t>(all_filters);
    set_strides(plan.tallies[model], meshes, std::span(part.filters).subspan(first, filters),
                std::span(plan.arrays.filter_axes).subspan(first, filters));
  }
  return part;
}

Index values_in(const TallyPlan& plan, const SampleBox& brick, double margin) {
  const MeshExtents meshes = extents_of(plan, brick, margin);
  Index values = 0;
  for (const TallyModel& model : plan.tallies) values += values_of(dimensions_of(model, meshes));
  return values;
}

}  // namespace gsim::transport
