#include "src/modules/transport/variance_reduction/weight_windows.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::transport {
namespace {

constexpr const char* axes[] = {"x", "y", "z"};
const std::string windows_group = "weight_windows";
const std::string bounds_path = windows_group + "/lower";
const std::string upper_path = windows_group + "/upper_ratio";
const std::string survival_path = windows_group + "/survival_ratio";

std::string edges_path(std::size_t axis) { return windows_group + "/bins/" + axes[axis]; }

/// The planes along all axes, one after the other; those of an undivided axis are at infinity.
std::vector<double> edges_of(const MeshConfig& mesh, WindowView& view) {
  std::vector<double> edges;
  for (std::size_t a = 0; a < 3; ++a) {
    view.first_edge[a] = static_cast<std::int32_t>(edges.size());
    view.bins[a] = static_cast<std::int32_t>(mesh.bins(a));
    if (mesh.bounds[a].empty())
      edges.insert(edges.end(), {-HUGE_VAL, HUGE_VAL});
    else
      edges.insert(edges.end(), mesh.bounds[a].begin(), mesh.bounds[a].end());
  }
  return edges;
}

/// The smallest nonzero lower bound of a group; infinite if there is none.
double smallest_bound(const std::vector<double>& lower, Index groups, Index group) {
  double smallest = HUGE_VAL;
  for (std::size_t i = static_cast<std::size_t>(group); i < lower.size();
       i += static_cast<std::size_t>(groups))
    if (lower[i] > 0) smallest = std::min(smallest, lower[i]);
  return smallest;
}

}  // namespace

WeightWindows::WeightWindows(const Executor& executor, const WindowsConfig& config, Index groups)
    : mesh_(config.mesh),
      groups_(groups),
      edges_(executor, edges_of(config.mesh, view_)),
      bounds_(executor, config.mesh.bins() * groups) {
  view_.edges = std::as_const(edges_).view();
  view_.lower = std::as_const(bounds_).view();
  view_.groups = static_cast<std::int32_t>(groups);
  view_.upper_ratio = config.upper_ratio;
  view_.survival_ratio = config.survival_ratio;
  view_.max_split = static_cast<std::int32_t>(config.max_split);
  set(config.lower.empty()
          ? std::vector<double>(static_cast<std::size_t>(config.mesh.bins() * groups), 0.0)
          : config.lower);
}

// Particles that enter a box without a window from a box with one have small weights. Roulette at
// the usual cutoff would kill nearly all of them, and the next iteration would not reach the boxes
// behind. In such boxes roulette is therefore played below the smallest bound of the group, which
// is stored with a minus sign (WindowView::lower).
void WeightWindows::set(std::vector<double> lower) {
  lower_ = std::move(lower);
  std::vector<double> bounds = lower_;
  for (Index g = 0; g < groups_; ++g) {
    const double smallest = smallest_bound(lower_, groups_, g);
    if (!std::isfinite(smallest)) continue;
    for (std::size_t i = static_cast<std::size_t>(g); i < bounds.size();
         i += static_cast<std::size_t>(groups_))
      if (bounds[i] == 0) bounds[i] = -smallest;
  }
  bounds_.assign(bounds);
}

Index WeightWindows::count() const {
  return std::count_if(lower_.begin(), lower_.end(), [](double bound) { return bound > 0; });
}

void WeightWindows::write(DatasetWriter& writer) const {
  for (std::size_t a = 0; a < 3; ++a) {
    if (mesh_.bounds[a].empty()) continue;
    writer.write(edges_path(a), mesh_.bounds[a]);
    writer.attribute(edges_path(a), "unit", "cm");
  }
  writer.write(bounds_path, lower_, groups_);
  writer.attribute(bounds_path, "description",
                   "lower bounds of weights, a row for each box, x fastest, then y, then z, a "
                   "column for each group; 0: no window");
  writer.write(upper_path, view_.upper_ratio);
  writer.write(survival_path, view_.survival_ratio);
}

void WeightWindows::restore(DatasetReader& reader) { set(reader.read<double>(bounds_path)); }

void read_windows(const std::string& path, Index groups, WindowsConfig& config) {
  ResultReader file(Communicator::self(), path);
  if (!file.has(bounds_path))
    throw InputError(
        fmt::format("{} has no {}: the file is not the result of a run with weight windows", path,
                    bounds_path));
  config.mesh = {};
  for (std::size_t a = 0; a < 3; ++a)
    if (file.has(edges_path(a))) config.mesh.bounds[a] = file.read<double>(edges_path(a));
  const DatasetShape shape = file.shape(bounds_path);
  if (shape.columns != groups)
    throw InputError(fmt::format("{} has windows for {} groups, but the materials have {}", path,
                                 shape.columns, groups));
  if (shape.rows != config.mesh.bins())
    throw InputError(fmt::format("{} has windows for {} boxes, but its planes bound {} boxes", path,
                                 shape.rows, config.mesh.bins()));
  config.lower = file.read<double>(bounds_path);
  if (!config.has_upper_ratio) config.upper_ratio = file.read_value<double>(upper_path);
  if (!config.has_survival_ratio) config.survival_ratio = file.read_value<double>(survival_path);
  if (config.survival_ratio > config.upper_ratio)
    throw InputError(fmt::format("survival_ratio {:g} is above upper_ratio {:g}",
                                 config.survival_ratio, config.upper_ratio));
  for (const double bound : config.lower)
    if (!(bound >= 0 && std::isfinite(bound)))
      throw InputError(fmt::format("{}: {} is not a bound of a weight", path, bound));
}

std::vector<double> magic_windows(const MeshConfig& mesh, Index groups, double upper_ratio,
                                  double largest_error, const std::vector<double>& flux,
                                  const std::vector<double>& error) {
  const auto width = [&](std::size_t a, Index i) {
    const auto& bounds = mesh.bounds[a];
    const auto at = static_cast<std::size_t>(i);
    return bounds.empty() ? 1.0 : bounds[at + 1] - bounds[at];
  };
  std::vector<double> lower(flux.size(), 0.0);
  std::vector<double> largest(static_cast<std::size_t>(groups), 0.0);
  std::size_t i = 0;
  for (Index z = 0; z < mesh.bins(2); ++z)
    for (Index y = 0; y < mesh.bins(1); ++y)
      for (Index x = 0; x < mesh.bins(0); ++x)
        for (std::size_t g = 0; g < largest.size(); ++g, ++i) {
          if (!(flux[i] > 0) || !(error[i] <= largest_error * flux[i])) continue;
          lower[i] = flux[i] / (width(0, x) * width(1, y) * width(2, z));
          largest[g] = std::max(largest[g], lower[i]);
        }
  for (i = 0; i < lower.size(); ++i)
    if (lower[i] > 0)
      lower[i] *= 2 / (upper_ratio + 1) / largest[i % static_cast<std::size_t>(groups)];
  return lower;
}

}  // namespace gsim::transport
