#pragma once
// [[plot]]: pictures of a run's geometry.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/transport/geometry/sampled_points.hpp"
#include "src/modules/transport/geometry/slice_picture.hpp"

namespace gsim::transport {

struct PlotConfig {
  std::string name;
  SliceOptions slice;
};

/// Describes the [[plot]] tables.
void describe_plots(Section& top, std::vector<PlotConfig>& plots);

/// Draws `plots`; without any the middle planes of `box`. Files are PREFIX.NAME.png. IoError.
std::vector<Drawing> draw_plots(const std::vector<PlotConfig>& plots, const Geometry& geometry,
                                const SampleBox& box, ThreadPool& pool, const std::string& prefix);

}  // namespace gsim::transport
