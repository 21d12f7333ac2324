#pragma once
// The configuration of a particle transport run.

#include <array>

#include "gsim/config/section.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "src/modules/transport/extensions.hpp"
#include "src/modules/transport/geometry/geometry_config.hpp"
#include "src/modules/transport/materials/material.hpp"
#include "src/modules/transport/particle_files/particle_file_config.hpp"
#include "src/modules/transport/plots/plots.hpp"
#include "src/modules/transport/sources/source_config.hpp"
#include "src/modules/transport/tallies/tally_config.hpp"
#include "src/modules/transport/variance_reduction/flight_bias_config.hpp"
#include "src/modules/transport/variance_reduction/weight_windows_config.hpp"

namespace gsim::transport {

enum class Mode { k_eigenvalue, fixed_source };
/// The values of the key `mode`, in the order of Mode.
std::span<const std::string_view> mode_names();

/// [transport.entropy]: the mesh that fission sites are counted on.
struct EntropyConfig {
  KeyLocations keys;
  std::array<double, 3> lower{}, upper{};
  std::array<Index, 3> shape{};
};

struct TransportConfig {
  SourceLocation where;    ///< [transport]
  KeyLocations top;        ///< tables and keys at the top of the file
  KeyLocations transport;  ///< [transport]
  KeyLocations roulette;   ///< [transport.roulette]
  Mode mode = Mode::k_eigenvalue;
  Index particles = 0;  ///< per batch
  Index batches = 0;    ///< inactive ones included
  Index inactive = 0;   ///< k_eigenvalue: inactive generations; fixed_source: batches that
                        ///< generate weight windows
  double first_k = 1;   ///< initial guess of k
  HistoryRules rules;
  bool is_decomposed = false;  ///< domain decomposition
  Index max_lost = 10;         ///< number of lost particles above which the run is aborted
  bool has_entropy = false;    ///< [transport.entropy] is given
  EntropyConfig entropy;
  MaterialSet materials;
  GeometryConfig geometry;
  SourcesConfig sources;
  std::vector<PlotConfig> plots;
  TalliesConfig tallies;
  WindowsConfig windows;
  FlightBiasConfig biases;
  ParticleFileConfig particle_file;

  Index active() const { return batches - inactive; }
};

/// Describes all keys of the module, and fills `config` when a configuration is read.
void describe_transport(Section& top, TransportConfig& config,
                        const Extensions& extensions = Extensions::builtin());
/// Checks keys that depend on one another, and sets what is derived from them. Called once, after
/// the whole configuration was read. ConfigError.
void validate_transport(TransportConfig& config);

}  // namespace gsim::transport
