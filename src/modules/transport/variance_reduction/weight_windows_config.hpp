#pragma once
// [weight_windows]: bounds of particle weights by position and energy group. They are given in the
// configuration or a file, or generated in batches that precede the tallied ones.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {

/// How windows are generated: iteratively from the flux in the bins of the mesh.
struct WindowGeneratorConfig {
  Index iterations = 5;
  Index batches = 10;                   ///< per iteration
  Index particles = 0;                  ///< per batch; 0: as many as in tallied batches
  double largest_relative_error = 0.5;  ///< of the flux of a bin that gets a window
};

struct WindowsConfig {
  bool is_set = false;  ///< whether the configuration has the table [weight_windows]
  KeyLocations keys;
  std::string mesh_name;                         ///< as given; empty if planes or a file are given
  std::array<std::vector<double>, 3> planes;     ///< as given along x, y, z, cm
  std::vector<std::vector<double>> lower_boxes;  ///< as given: [z][y][x] flattened, then [group]
  std::string file;                              ///< path of an HDF5 file; empty: none
  MeshConfig mesh;                               ///< rectilinear; set by validate_windows()
  /// Upper bounds, and weights after roulette, divided by lower bounds.
  double upper_ratio = 5, survival_ratio = 3;
  bool has_upper_ratio = false,
       has_survival_ratio = false;  ///< given; otherwise those of the file apply
  Index max_split = 10;             ///< largest number of particles into which one is split
  std::vector<double> lower;        ///< [z][y][x][group], set by validate_windows(); 0: no window
  bool is_generated = false;
  WindowGeneratorConfig generator;

  /// Number of batches before those that are tallied.
  Index generator_batches() const {
    return is_generated ? generator.iterations * generator.batches : 0;
  }
  /// Digest of given bounds; 0 if none are given.
  std::uint64_t digest() const;
};

void describe_windows(Section& top, WindowsConfig& config);
/// Checks the table, which may refer to one of `meshes`, and reads the windows if they are in a
/// file. Throws ConfigError.
void validate_windows(std::span<const MeshConfig> meshes, Index groups, WindowsConfig& config);

}  // namespace gsim::transport
