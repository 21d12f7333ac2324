#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/angle.hpp"
#include "gsim/io/format_file.hpp"
#include "src/modules/transport/tallies/output/tally_files.hpp"

namespace gsim::transport {
namespace {

std::vector<double> in_radians(std::vector<double> degrees) {
  for (double& d : degrees) d *= radians_per_degree;
  return degrees;
}

class StatepointWriter {
 public:
  StatepointWriter(const TallySet& set, const Geometry& geometry, FormatFile& file)
      : set_(set), geometry_(geometry), file_(file) {}

  void write(const StatepointRun& run) {
    write_run(run);
    file_.set("tallies/meshes", "n_meshes", static_cast<Index>(set_.plan().meshes.size()));
    std::vector<Index> mesh_ids;
    for (std::size_t i = 0; i < set_.plan().meshes.size(); ++i) {
      write_mesh(set_.plan().meshes[i], static_cast<Index>(i) + 1);
      mesh_ids.push_back(static_cast<Index>(i) + 1);
    }
    if (!mesh_ids.empty()) file_.set("tallies/meshes", "ids", mesh_ids);
    std::vector<Index> ids;
    for (std::size_t i = 0; i < set_.plan().tallies.size(); ++i) {
      if (!is_supported(set_.plan().tallies[i])) continue;
      ids.push_back(static_cast<Index>(i) + 1);
      write_tally(i);
    }
    file_.set("tallies/filters", "n_filters", filters_);
    file_.set("tallies", "n_tallies", static_cast<Index>(ids.size()));
    if (!ids.empty()) file_.set("tallies", "ids", ids);
  }

 private:
  void write_run(const StatepointRun& run) {
    file_.set("/", "filetype", FixedLengthString{"statepoint"});
    file_.set("/", "version", std::vector<Index>{18, 1});  // of the statepoint format
    file_.set("/", "tallies_present", Index{1});
    file_.set("/", "source_present", Index{0});
    file_.set("/", "cmfd_on", Index{0});
    file_.write_value("runtime/simulation", run.seconds);
    file_.write_value("seed", static_cast<Index>(run.seed));
    file_.write_value("energy_mode", FixedLengthString{"multi-group"});
    file_.write_value("run_mode",
                      FixedLengthString{run.is_eigenvalue ? "eigenvalue" : "fixed source"});
    file_.write_value("n_particles", run.particles);
    file_.write_value("n_batches", run.batches);
    file_.write_value("current_batch", run.batches);
    file_.write_value("n_realizations", set_.batches());
    if (!run.is_eigenvalue) return;
    file_.write_value("n_inactive", run.inactive);
    file_.write_value("generations_per_batch", Index{1});
    file_.write("k_generation", run.k_generation);
    file_.write("entropy", run.entropy);
    file_.write("k_combined", std::vector<double>{run.k_mean, run.k_error});
  }

  void write_mesh(const MeshConfig& mesh, Index id) {
    const std::string at = fmt::format("tallies/meshes/mesh {}", id);
    file_.write_value(at + "/name", FixedLengthString{mesh.name});
    // Dimensions without bounds get one bin that is larger than any geometry.
    std::array<std::vector<double>, 3> bounds = mesh.bounds;
    for (std::size_t k = 0; k < 3; ++k)
      if (bounds[k].empty() && !mesh.is_regular)
        bounds[k] = {mesh.kind == TallyMeshKind::cylindrical && k < 2 ? 0.0 : -1e10,
                     mesh.kind == TallyMeshKind::cylindrical && k == 1 ? 360.0 : 1e10};
    if (mesh.kind == TallyMeshKind::cylindrical) {
      file_.write_value(at + "/type", FixedLengthString{"cylindrical"});
      file_.write(at + "/r_grid", bounds[0]);
      file_.write(at + "/phi_grid", in_radians(bounds[1]));
      file_.write(at + "/z_grid", bounds[2]);
      file_.write(at + "/origin", std::vector<double>{mesh.origin.x, mesh.origin.y, mesh.origin.z});
    } else if (!mesh.is_regular) {
      file_.write_value(at + "/type", FixedLengthString{"rectilinear"});
      for (std::size_t k = 0; k < 3; ++k)
        file_.write(fmt::format("{}/{}_grid", at, "xyz"[k]), bounds[k]);
    } else {
      file_.write_value(at + "/type", FixedLengthString{"regular"});
      std::vector<Index> dimension;
      std::vector<double> lower, upper, width;
      for (std::size_t k = 0; k < 3; ++k) {
        if (bounds[k].empty()) continue;
        dimension.push_back(mesh.bins(k));
        lower.push_back(bounds[k].front());
        upper.push_back(bounds[k].back());
        width.push_back((upper.back() - lower.back()) / static_cast<double>(dimension.back()));
      }
      file_.write(at + "/dimension", dimension);
      file_.write(at + "/lower_left", lower);
      file_.write(at + "/upper_right", upper);
      file_.write(at + "/width", width);
    }
  }

  static bool is_supported(const TallyModel& t) {
    return t.estimator != TallyEstimator::next_event &&
           std::none_of(t.axes.begin(), t.axes.end(),
                        [](const TallyAxis& axis) { return axis.openmc.type.empty(); });
  }

  void write_filter(const TallyAxis& axis) {
    const std::string at = fmt::format("tallies/filters/filter {}", ++filters_);
    file_.write_value(at + "/n_bins", axis.bins);
    file_.write_value(at + "/type", FixedLengthString{axis.openmc.type});
    if (axis.mesh >= 0)
      file_.write_value(at + "/bins", axis.mesh + 1);
    else if (!axis.openmc.ids.empty())
      file_.write(at + "/bins", axis.openmc.ids);
    else
      file_.write(at + "/bins", axis.openmc.bounds);
  }

  /// The corresponding row of OpenMC's table, whose groups are in the order of ascending energies.
  static Index openmc_row(const TallyModel& t, Index row) {
    Index result = 0, stride = t.rows;
    for (const TallyAxis& axis : t.axes) {
      stride /= axis.bins;
      const Index bin = row / stride % axis.bins;
      result += stride * (axis.is_by_group ? axis.bins - 1 - bin : bin);
    }
    return result;
  }

  void write_tally(std::size_t number) {
    const TallyModel& t = set_.plan().tallies[number];
    const std::string at = fmt::format("tallies/tally {}", number + 1);
    std::vector<Index> filters;
    for (const TallyAxis& axis : t.axes) {
      write_filter(axis);
      filters.push_back(filters_);
    }
    constexpr const char* estimators[] = {"tracklength", "collision", "analog", "analog"};
    file_.write_value(at + "/name", FixedLengthString{t.name});
    file_.write_value(at + "/n_realizations", set_.batches());
    file_.write_value(at + "/estimator",
                      FixedLengthString{estimators[static_cast<std::size_t>(t.estimator)]});
    file_.write_value(at + "/n_filters", static_cast<Index>(filters.size()));
    if (!filters.empty()) file_.write(at + "/filters", filters);
    file_.write_strings(at + "/nuclides", std::vector<std::string>{"total"});
    file_.write_value(at + "/n_score_bins", t.columns());
    file_.write_strings(at + "/score_bins", t.score_names);
    file_.write_array(at + "/results", {t.rows, t.columns(), 2}, results_of(number));
  }

  /// Sums and sums of squares over batches, on rank 0; empty on other ranks.
  std::vector<double> results_of(std::size_t number) const {
    const TallyModel& t = set_.plan().tallies[number];
    const TallyTable table = set_.table_at_root(number, TallyErrors::of_batches);
    const auto n = static_cast<double>(set_.batches());
    std::vector<double> results(2 * table.mean.size());
    for (std::size_t i = 0; i < table.mean.size(); ++i) {
      const auto at = static_cast<Index>(i);
      const Index to = openmc_row(t, at / t.columns()) * t.columns() + at % t.columns();
      const double mean = table.mean[i];
      const double error = std::isfinite(table.standard_error[i]) ? table.standard_error[i] : 0.0;
      results[static_cast<std::size_t>(2 * to)] = n * mean;
      results[static_cast<std::size_t>(2 * to + 1)] = n * ((n - 1) * error * error + mean * mean);
    }
    return results;
  }

  const TallySet& set_;
  const Geometry& geometry_;
  FormatFile& file_;
  Index filters_ = 0;  ///< number of filters that were written
};

}  // namespace

void write_statepoint(const Communicator& communicator, const TallySet& set,
                      const Geometry& geometry, const StatepointRun& run, const std::string& path) {
  FormatFile file(communicator, path);
  StatepointWriter(set, geometry, file).write(run);
  file.commit();
}

std::vector<std::string> statepoint_omissions(const TallyPlan& plan) {
  std::vector<std::string> warnings;
  for (const TallyModel& t : plan.tallies) {
    const std::string omission =
        fmt::format("tally `{}` will not be in the statepoint: OpenMC has no ", t.name);
    if (t.estimator == TallyEstimator::next_event) {
      warnings.push_back(omission + "point detectors");
      continue;
    }
    for (const TallyAxis& axis : t.axes)
      if (axis.openmc.type.empty())
        warnings.push_back(omission + fmt::format("filter that corresponds to its {}", axis.word));
  }
  return warnings;
}

}  // namespace gsim::transport
