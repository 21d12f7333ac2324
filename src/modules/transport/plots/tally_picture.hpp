#pragma once
// Pictures of a plane through a tally's mesh, out of the results of a run.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/exec/thread_pool.hpp"
#include "src/modules/transport/plots/slice_picture.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {

struct TallyPictureConfig {
  enum class Show { mean, relative_error };
  std::string tally;  ///< its name; empty: a picture of the geometry
  std::string score;  ///< empty: the tally's first one
  Show show = Show::mean;
  std::vector<Index> bins;  ///< from 1 on, of the tally's axes beside the mesh; empty: their sum
  std::array<double, 2> range{0, 0};  ///< of colours; 0, 0: that of what is to be seen
  SourceLocation where;
};

/// Describes `tally`, `score`, `show`, `bins` and `range` of one picture.
void describe_tally_picture(Section& s, TallyPictureConfig& config);

/// Colours places by the bin that they are in, on a logarithmic scale; grey where the value is 0 or
/// the error is not known, white outside of the mesh. Means are over the bin's volume, as far as
/// the mesh divides space. `results`: the file of the run. ConfigError where the tally does not fit
/// the picture, InputError where the results do not hold it.
Picture draw_tally(const TallyPictureConfig& config, const SliceOptions& slice,
                   const TallyPlan& plan, ThreadPool& pool, const std::string& results);

}  // namespace gsim::transport
