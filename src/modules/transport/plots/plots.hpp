#pragma once
// [[plot]]: pictures of the geometry and the tallies of a run.

#include <functional>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/transport/geometry/volumes/sampled_points.hpp"
#include "src/modules/transport/plots/slice_picture.hpp"
#include "src/modules/transport/plots/tally_picture.hpp"

namespace gsim::transport {

struct PlotConfig {
  KeyLocations keys;
  std::string name;
  SliceOptions slice;
  bool has_frame = true;     ///< axes, title and legend around the plane
  TallyPictureConfig tally;  ///< without the name of a tally: a picture of the geometry
  bool has_outlines = true;  ///< of the materials or cells, on a picture of a tally
};

/// Describes the [[plot]] tables.
void describe_plots(Section& top, std::vector<PlotConfig>& plots);
/// Checks the names of plots. ConfigError.
void validate_plots(const std::vector<PlotConfig>& plots);

/// Draws `plots` or, if there are none, the middle planes of `box`. Files are PREFIX.NAME.png, with
/// names by sanitize_file_name(); tallies are read from PREFIX.h5. `plan` returns the tallies of
/// the run, and is called if one is drawn. IoError, and the errors of draw_tally().
std::vector<Drawing> draw_plots(const std::vector<PlotConfig>& plots, const Geometry& geometry,
                                const SampleBox& box, ThreadPool& pool, const std::string& prefix,
                                const std::function<TallyPlan()>& plan);

}  // namespace gsim::transport
