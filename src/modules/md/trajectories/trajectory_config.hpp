#pragma once
// [[trajectory]]: the files that a run writes snapshots of its atoms to.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/correlations/sample_steps.hpp"

namespace gsim::md {

enum class TrajectoryFormat { h5md, xyz, dump };
enum class TrajectoryPrecision { float32, float64 };

struct TrajectoryConfig {
  TrajectoryFormat format = TrajectoryFormat::h5md;
  SampleSteps steps;
  std::string file;  ///< empty: the run's output with the format's extension
  bool velocity = false, image = true, force = false;  ///< besides positions
  TrajectoryPrecision precision = TrajectoryPrecision::float32;
  std::vector<std::string> types;  ///< names of types; empty: all atoms
  bool thermo = false;             ///< H5MD: temperature, energies and pressure of each frame
  std::string author = "unknown";  ///< H5MD: who ran it
  SourceLocation where = {}, types_at = {}, from_at = {};  ///< of `file`, `types` and `from`

  /// Where the file of a run is whose results are OUTPUT.h5.
  std::string path(const std::string& output) const;
};

/// Describes, and while reading fills, all [[trajectory]] tables of a run with these types of
/// atoms.
void describe_trajectories(Section& top, const std::vector<std::string>& types,
                           std::vector<TrajectoryConfig>& list);

}  // namespace gsim::md
