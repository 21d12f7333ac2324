#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "gsim/io/format_file.hpp"
#include "gsim/io/vtk_image.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/transport/tallies/output/tally_files.hpp"

namespace gsim::transport {
namespace {

/// The largest angle of a hexahedron that represents a part of a cylindrical mesh, degrees.
constexpr double widest_arc = 15;
constexpr std::int64_t hexahedron = 12;  // VTK_HEXAHEDRON

/// The mesh that is drawn, and the bin that each of its cells shows.
struct Cells {
  std::array<std::vector<double>, 3> bounds;  ///< not empty, also where the mesh is undivided
  std::array<std::vector<Index>, 3> bins;     ///< the bin of each interval between bounds
  Index count() const {
    Index n = 1;
    for (const auto& b : bins) n *= static_cast<Index>(b.size());
    return n;
  }
};

Cells cells_of(const MeshConfig& mesh) {
  Cells cells;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> bounds = mesh.bounds[k];
    const bool is_azimuth = mesh.kind == TallyMeshKind::cylindrical && k == 1;
    if (bounds.empty()) bounds = {0, is_azimuth ? 360.0 : 1.0};
    cells.bounds[k].push_back(bounds.front());
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
      const double width = bounds[i + 1] - bounds[i];
      const int parts = is_azimuth ? static_cast<int>(std::ceil(width / widest_arc)) : 1;
      for (int p = 1; p <= parts; ++p) {
        cells.bounds[k].push_back(p == parts ? bounds[i + 1] : bounds[i] + width * p / parts);
        cells.bins[k].push_back(static_cast<Index>(i));
      }
    }
  }
  return cells;
}

/// The point with the coordinates a, b, c of the mesh: x, y, z or r, phi (degrees), z.
Vector3 corner(const MeshConfig& mesh, double a, double b, double c) {
  if (mesh.kind == TallyMeshKind::rectilinear) return {a, b, c};
  const auto direction = gsim::sincospi<Strict>(b / 180);
  const double local[3] = {a * direction.cos, a * direction.sin, c};
  double x[3];
  for (int k = 0; k < 3; ++k) x[(mesh.along + 1 + k) % 3] = local[k];
  return {x[0] + mesh.origin.x, x[1] + mesh.origin.y, x[2] + mesh.origin.z};
}

/// A regular mesh as VTK's ImageData.
VtkImage image_of(const Cells& cells) {
  VtkImage image;
  for (std::size_t k = 0; k < 3; ++k) {
    image.cells[k] = static_cast<Index>(cells.bins[k].size());
    image.origin[k] = cells.bounds[k].front();
    image.spacing[k] =
        (cells.bounds[k].back() - cells.bounds[k].front()) / static_cast<double>(image.cells[k]);
  }
  return image;
}

void write_grid(FormatFile& file, const MeshConfig& mesh, const Cells& cells) {
  const auto& b = cells.bounds;
  std::vector<double> points;
  for (const double z : b[2])
    for (const double y : b[1])
      for (const double x : b[0]) {
        const Vector3 p = corner(mesh, x, y, z);
        points.insert(points.end(), {p.x, p.y, p.z});
      }
  const auto nx = static_cast<Index>(b[0].size()), ny = static_cast<Index>(b[1].size());
  const auto at = [&](Index i, Index j, Index k) { return i + nx * (j + ny * k); };
  std::vector<std::int64_t> connectivity, offsets{0};
  for (Index k = 0; k + 1 < static_cast<Index>(b[2].size()); ++k)
    for (Index j = 0; j + 1 < ny; ++j)
      for (Index i = 0; i + 1 < nx; ++i) {
        for (const Index up : {0, 1})
          connectivity.insert(connectivity.end(), {at(i, j, k + up), at(i + 1, j, k + up),
                                                   at(i + 1, j + 1, k + up), at(i, j + 1, k + up)});
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
      }
  file.set("VTKHDF", "Version", std::vector<Index>{2, 0});
  file.set("VTKHDF", "Type", FixedLengthString{"UnstructuredGrid"});
  file.write("VTKHDF/NumberOfPoints", static_cast<std::int64_t>(points.size() / 3));
  file.write("VTKHDF/NumberOfCells", static_cast<std::int64_t>(cells.count()));
  file.write("VTKHDF/NumberOfConnectivityIds", static_cast<std::int64_t>(connectivity.size()));
  file.write("VTKHDF/Points", points, 3);
  file.write("VTKHDF/Connectivity", connectivity);
  file.write("VTKHDF/Offsets", offsets);
  file.write("VTKHDF/Types", std::vector<std::uint8_t>(static_cast<std::size_t>(cells.count()),
                                                       static_cast<std::uint8_t>(hexahedron)));
}

/// The bins of all axes but the mesh, such as "cell fuel, group 2"; for the axis `summed`, "sum
/// over groups".
std::string names_of_bins(const TallyModel& t, Index row, const TallyAxis* summed = nullptr) {
  std::string words;
  Index stride = t.rows;
  for (const TallyAxis& axis : t.axes) {
    stride /= axis.bins;
    if (axis.mesh >= 0) continue;
    if (&axis == summed) {
      words += fmt::format("{}sum over {}", words.empty() ? "" : ", ", axis.plural_word);
      continue;
    }
    const Index bin = row / stride % axis.bins;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", axis.word,
                         axis.names.empty() ? fmt::format("{}", bin + 1)
                                            : axis.names[static_cast<std::size_t>(bin)]);
  }
  return words;
}

double relative_error(double mean, double standard_error) {
  return mean != 0 ? standard_error / std::abs(mean) : std::numeric_limits<double>::quiet_NaN();
}

/// Writes an array for each score and combination of the other bins.
class CellData {
 public:
  CellData(FormatFile& file, const TallyModel& t, const MeshConfig& mesh, const Cells& cells,
           const TallyTable& table, const std::vector<GroupTotals::Column>& sums)
      : file_(file), t_(t), mesh_(mesh), cells_(cells), table_(table), sums_(sums) {
    Index stride = t.rows;
    for (const TallyAxis& axis : t.axes) {
      stride /= axis.bins;
      if (axis.mesh >= 0) mesh_stride_ = stride;
      if (!axis.is_energy || axis.bins == 1) continue;
      energy_ = &axis;
      energy_stride_ = stride;
    }
  }
  void write() {
    const Index mesh_rows = mesh_.bins() * mesh_stride_;
    for (Index outer = 0; outer < t_.rows; outer += mesh_rows)
      for (Index inner = 0; inner < mesh_stride_; ++inner)
        for (std::size_t s = 0; s < t_.scores.size(); ++s) {
          const Index row = outer + inner;
          write_arrays(row, s);
          if (energy_ != nullptr && row / energy_stride_ % energy_->bins == 0) write_sum(row, s);
        }
  }

 private:
  /// On rank 0, which holds the table, calls f with the row of each cell's value; `first_row` is
  /// the row of the first bin of the mesh.
  template <class F>
  void for_cells(Index first_row, const F& f) const {
    if (table_.mean.empty()) return;
    for (const Index k : cells_.bins[2])
      for (const Index j : cells_.bins[1])
        for (const Index i : cells_.bins[0]) {
          const Index bin = i + mesh_.bins(0) * (j + mesh_.bins(1) * k);
          f(first_row + bin * mesh_stride_);
        }
  }
  std::string suffix(Index first_row, const TallyAxis* summed = nullptr) const {
    const std::string words = names_of_bins(t_, first_row, summed);
    return words.empty() ? "" : " (" + words + ")";
  }

  void write_arrays(Index first_row, std::size_t score) {
    const std::string& name = t_.score_names[score];
    std::vector<double> mean, relative;
    for_cells(first_row, [&](Index row) {
      const std::size_t at = static_cast<std::size_t>(row * t_.columns()) + score;
      mean.push_back(table_.mean[at]);
      relative.push_back(relative_error(table_.mean[at], table_.standard_error[at]));
    });
    write_array(name + suffix(first_row), mean);
    write_array(name + " relative error" + suffix(first_row), relative);
  }

  /// Writes the sum over groups or energies and its error; `first_row` is that of the first group.
  void write_sum(Index first_row, std::size_t score) {
    const GroupTotals::Column& sums = sums_[score];
    const Index stride = energy_stride_, period = energy_->bins * stride;
    std::vector<double> sum, relative;
    for_cells(first_row, [&](Index row) {
      const auto at = static_cast<std::size_t>(row / period * stride + row % stride);
      sum.push_back(sums.mean[at]);
      relative.push_back(relative_error(sums.mean[at], sums.standard_error[at]));
    });
    const std::string words = suffix(first_row, energy_);
    write_array(t_.score_names[score] + words, sum);
    write_array(t_.score_names[score] + " relative error" + words, relative);
  }

  void write_array(const std::string& name, const std::vector<double>& values) {
    const std::vector<Index> extents =
        mesh_.is_regular ? vtk_extents(image_of(cells_)) : std::vector<Index>{cells_.count(), 1};
    file_.write_array(vtk_cell_data(name), extents, values);
  }

  FormatFile& file_;
  const TallyModel& t_;
  const MeshConfig& mesh_;
  const Cells& cells_;
  const TallyTable& table_;
  const std::vector<GroupTotals::Column>& sums_;  ///< sums over groups, by score
  Index mesh_stride_ = 1;
  const TallyAxis* energy_ = nullptr;  ///< the axis of groups with several bins; null: none
  Index energy_stride_ = 1;            ///< distance of successive bins in rows
};

}  // namespace

void write_vtk_file(const Communicator& communicator, const TallySet& set, std::size_t tally,
                    const std::string& path) {
  const TallyModel& t = set.plan().tallies[tally];
  const auto axis =
      std::find_if(t.axes.begin(), t.axes.end(), [](const TallyAxis& a) { return a.mesh >= 0; });
  const MeshConfig& mesh = set.plan().meshes[static_cast<std::size_t>(axis->mesh)];
  const TallyTable table = set.table_at_root(tally);
  std::vector<GroupTotals::Column> sums;
  if (set.group_totals().has(tally))
    for (std::size_t s = 0; s < t.scores.size(); ++s)
      sums.push_back(set.group_totals().column_at_root(communicator, tally, s));
  const Cells cells = cells_of(mesh);
  FormatFile file(communicator, path);
  if (mesh.is_regular)
    describe_vtk_image(file, image_of(cells));
  else
    write_grid(file, mesh, cells);
  CellData(file, t, mesh, cells, table, sums).write();
  file.commit();
}

}  // namespace gsim::transport
