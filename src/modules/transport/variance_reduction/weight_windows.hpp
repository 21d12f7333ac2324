#pragma once
// Weight windows of a run: mesh and bounds in the executor's memory, and as datasets of results,
// which another run can read.

#include <string>
#include <vector>

#include "gsim/core/digest.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/io/dataset.hpp"
#include "kernels/transport/variance_reduction/population.hpp"
#include "src/modules/transport/variance_reduction/weight_windows_config.hpp"

namespace gsim::transport {

class WeightWindows {
 public:
  /// With the bounds of `config`, or without windows at first if they are to be generated.
  WeightWindows(const Executor& executor, const WindowsConfig& config, Index groups);

  /// A view of the executor's memory; it remains valid when bounds change.
  WindowView view() const { return view_; }
  /// The lower bounds of the windows, [z][y][x][group]; 0: no window.
  const std::vector<double>& lower() const { return lower_; }
  /// Replaces the lower bounds; `lower` as lower() returns them.
  void set(std::vector<double> lower);
  /// Number of boxes and groups with a window.
  Index count() const;

  /// Writes mesh and bounds below "weight_windows". Collective.
  void write(DatasetWriter& writer) const;
  /// Reads the bounds that write() wrote.
  void restore(DatasetReader& reader);

 private:
  MeshConfig mesh_;
  Index groups_;
  std::vector<double> lower_;
  WindowView view_;
  Array<double> edges_, bounds_;
};

/// Reads mesh and bounds from the results of a run with weight windows. InputError if they cannot
/// be used.
void read_windows(const std::string& path, Index groups, WindowsConfig& config);

/// Lower bounds in proportion to the flux (A. J. van Wijk, G. Van den Eynde, J. E. Hoogenboom,
/// Ann. Nucl. Energy 38 (2011) 2496; iterated as in MAGIC, A. Davis, A. Turner, Fusion Eng. Des. 86
/// (2011) 2698): 2 / (ratio + 1) phi / max phi, with the maximum of the group over all boxes, so
/// that a particle of the weight 1 is in the middle of the window where the flux is largest. `flux`
/// and its standard errors: integrals over boxes, in the order of lower(). Boxes with a relative
/// error above `largest_error` have no window.
std::vector<double> magic_windows(const MeshConfig& mesh, Index groups, double upper_ratio,
                                  double largest_error, const std::vector<double>& flux,
                                  const std::vector<double>& error);

}  // namespace gsim::transport
