#pragma once
// Weight windows of a run: their boxes and bounds, where kernels find them, and in results, from
// which another run may take them.

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
  /// With the bounds that are given; where they are to be made, with none at first.
  WeightWindows(const Executor& executor, const WindowsConfig& config, Index groups);

  /// In the executor's memory; stays where it is when bounds change.
  WindowView view() const { return view_; }
  /// [z][y][x][group]; 0: no window.
  const std::vector<double>& lower() const { return lower_; }
  void set(std::vector<double> lower);
  /// Boxes and groups that have a window.
  Index count() const;

  /// Boxes and bounds, under "weight_windows", as results have them. Collective.
  void write(DatasetWriter& writer) const;
  /// The bounds that write() wrote.
  void restore(DatasetReader& reader);

 private:
  MeshConfig mesh_;
  Index groups_;
  std::vector<double> lower_;
  WindowView view_;
  Array<double> edges_, bounds_;
};

/// Takes boxes and bounds from the results of a run that had windows. InputError that says why they
/// cannot be taken.
void read_windows(const std::string& path, Index groups, WindowsConfig& config);

/// Lower bounds in proportion to the flux (A. J. van Wijk, G. Van den Eynde, J. E. Hoogenboom,
/// Ann. Nucl. Energy 38 (2011) 2496; by iterations: MAGIC, A. Davis, A. Turner, Fusion Eng. Des. 86
/// (2011) 2698): 2 / (ratio + 1) phi / max phi, the maximum being that of the group over all boxes,
/// so that a particle of the weight 1 is in the middle of the window where the flux is largest.
/// `flux`: integrals over boxes, and their standard errors, as lower(). No window where the
/// relative error is above `largest_error`.
std::vector<double> magic_windows(const MeshConfig& mesh, Index groups, double upper_ratio,
                                  double largest_error, const std::vector<double>& flux,
                                  const std::vector<double>& error);

}  // namespace gsim::transport
