#pragma once
// [[plot]]: pictures of a run's geometry and tallies.

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
  TallyPictureConfig tally;  ///< its tally's name is empty: of the geometry
};

/// Describes the [[plot]] tables.
void describe_plots(Section& top, std::vector<PlotConfig>& plots);
/// Checks the names of plots. ConfigError.
void validate_plots(const std::vector<PlotConfig>& plots);

/// Draws `plots`; without any the middle planes of `box`. Files are PREFIX.NAME.png, with names as
/// sanitize_file_name() writes them; tallies come
/// from PREFIX.h5. `plan` gives the run's tallies and is asked where one is drawn. IoError, and
/// what draw_tally() throws.
std::vector<Drawing> draw_plots(const std::vector<PlotConfig>& plots, const Geometry& geometry,
                                const SampleBox& box, ThreadPool& pool, const std::string& prefix,
                                const std::function<TallyPlan()>& plan);

}  // namespace gsim::transport
