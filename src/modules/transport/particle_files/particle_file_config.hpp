#pragma once
// [particle_file]: particles at surface crossings, written as the source of another run.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::transport {

/// The side of the surface that recorded particles enter.
enum class CrossingSide { both, positive, negative };

struct ParticleFileConfig {
  bool is_set = false;                ///< [particle_file] is given
  std::vector<std::string> surfaces;  ///< empty: all vacuum boundaries
  CrossingSide side = CrossingSide::both;
  bool ends = false;        ///< recorded particles end at the surface
  Index limit = 0;          ///< number of particles from which on no batch is added; 0: no limit
  std::int32_t pdg = 2112;  ///< Particle Data Group code of the particles; 2112: neutrons
  std::string file;         ///< empty: named after the results
  KeyLocations keys;

  /// The name of the file; `output`: that of the results without ".h5".
  std::string path(const std::string& output) const;
};

void describe_particle_file(Section& top, ParticleFileConfig& config);
/// Checks keys that depend on one another. ConfigError.
void validate_particle_file(const ParticleFileConfig& config);

}  // namespace gsim::transport
