#pragma once
// [weight_windows]: bounds of weights by place and group, given or made before the run counts.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {

/// How windows are made: from the flux in boxes, again and again.
struct WindowGeneratorConfig {
  Index iterations = 5;
  Index batches = 10;                   ///< an iteration
  Index particles = 0;                  ///< a batch; 0: as many as those that count
  double largest_relative_error = 0.5;  ///< of a flux that makes a window
};

struct WindowsConfig {
  bool is_set = false;  ///< [weight_windows] is there
  SourceLocation where;
  MeshConfig mesh;  ///< rectilinear
  double upper_ratio = 5, survival_ratio = 3;
  bool has_upper_ratio = false, has_survival_ratio = false;  ///< given; else a file's own hold
  Index max_split = 10;
  std::vector<double> lower;  ///< bounds as given, [z][y][x][group]; 0: no window
  bool is_generated = false;
  WindowGeneratorConfig generator;

  /// Batches before those that count.
  Index generator_batches() const {
    return is_generated ? generator.iterations * generator.batches : 0;
  }
  /// Of bounds that were given; 0 where there are none.
  std::uint64_t digest() const;
};

/// Describes the table, which may name one of `meshes`. Windows of a file are read.
void describe_windows(Section& top, std::span<const MeshConfig> meshes, Index groups,
                      WindowsConfig& config);

}  // namespace gsim::transport
