#pragma once
// Checks before a run that sources, meshes, tallies and detectors are in the geometry, and that
// histories end.

#include <string>
#include <vector>

#include "gsim/exec/thread_pool.hpp"
#include "src/modules/transport/simulation/system.hpp"

namespace gsim::transport {

/// The run that is checked.
struct RunToCheck {
  const TransportConfig& config;
  System& system;
  ThreadPool& pool;
  std::uint64_t seed = 0;
  std::vector<bool> cells;  ///< for each cell, whether a random position was in it
};

/// A position as text for messages, such as "(1, 2.5, 0)".
std::string position_text(const Vector3& place);

/// The first 500 source particles of the run, or fewer if there are fewer. ConfigError where a
/// source has no admitted starting position.
std::vector<SourceParticle> first_particles(const RunToCheck& check);

/// Samples the first source particles of the run without transport. ConfigError if so many of them
/// are in no cell that the run would be aborted, if all particles of a source end at once (in cells
/// of importance 0, or after the time cutoff), and if an eigenvalue problem has no fissile material
/// or no starting position. Returns warnings, where this holds for a part of the particles.
std::vector<std::string> check_sources(const RunToCheck& check);

/// ConfigError if the mesh of the entropy, of weight windows or of a tally does not overlap the
/// geometry, or if all cells of a tally have importance 0. Returns warnings of tallies whose cells
/// were not found at random positions.
std::vector<std::string> check_meshes(const RunToCheck& check);

/// ConfigError if histories cannot end, since there is neither absorption nor leakage, and if
/// weight windows would split a source particle into more than a million, or kill all but one in a
/// million. Returns warnings of steep windows, and of long histories among the first ten of the
/// run, which are transported for at most 100,000 flights and 20,000 particles each.
std::vector<std::string> check_histories(const RunToCheck& check);

/// ConfigError if a point detector is outside of the geometry, or has no exclusion sphere in a
/// scattering material, and if the angular density of a source at a detector is unknown. Returns
/// warnings. Does nothing if no tally has detectors.
std::vector<std::string> check_detectors(const RunToCheck& check);

}  // namespace gsim::transport
