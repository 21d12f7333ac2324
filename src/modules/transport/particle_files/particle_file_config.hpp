#pragma once
// [particle_file]: particles that cross surfaces, for another run to start from.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"

namespace gsim::transport {

/// Which way particles cross: towards smaller or larger values of the surface's function.
enum class CrossingSide { both, positive, negative };

struct ParticleFileConfig {
  bool is_set = false;                ///< [particle_file] is there
  std::vector<std::string> surfaces;  ///< empty: those through which particles leave the geometry
  CrossingSide side = CrossingSide::both;
  bool ends = false;  ///< particles end where they are written
  Index limit = 0;    ///< particles from which on no batch is added; 0: none
  std::int32_t pdg = 2112;
  std::string file;  ///< empty: named after the results
  SourceLocation where, surfaces_at;

  /// The file's name; `output`: that of the results without ".h5".
  std::string path(const std::string& output) const;
};

void describe_particle_file(Section& top, ParticleFileConfig& config);

}  // namespace gsim::transport
