#pragma once
// Plots of a plane through the mesh of a tally, from the results of a run.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "src/modules/transport/plots/slice_picture.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {

struct TallyPictureConfig {
  enum class Show { mean, relative_error };
  std::string tally;  ///< the tally's name; empty: plot the geometry
  std::string score;  ///< empty: the tally's first one
  Show show = Show::mean;
  std::vector<Index> bins;  ///< of the tally's axes other than the mesh, from 1; empty: sum of all
  std::vector<double>
      range;  ///< limits of the colour scale; empty: those of the values in the plot
  SourceLocation where;
};

/// Describes `tally`, `score`, `show`, `bins` and `range` of one picture.
void describe_tally_picture(Section& s, TallyPictureConfig& config);
/// Checks these keys. ConfigError.
void validate_tally_picture(const Section& s, TallyPictureConfig& config);

/// Colours points by the bin that contains them, on a logarithmic scale; grey where the value is 0
/// or its error unknown, white outside the mesh. Means are divided by the bin's volume in the
/// dimensions that the mesh divides. `results`: the result file of the run. ConfigError for a tally
/// that cannot be plotted in this way, InputError if the results lack it.
Picture draw_tally(const TallyPictureConfig& config, const SliceOptions& slice,
                   const TallyPlan& plan, ThreadPool& pool, const std::string& results);

}  // namespace gsim::transport
