#pragma once
// Whether what a configuration places in space can do anything there: sources, meshes, tallies.

#include <string>
#include <vector>

#include "gsim/exec/thread_pool.hpp"
#include "src/modules/transport/simulation/system.hpp"

namespace gsim::transport {

struct ReachCheck {
  const TransportConfig& config;
  System& system;
  ThreadPool& pool;
  std::uint64_t seed = 0;
  std::vector<bool> cells;  ///< whether each was met within the geometry
};

/// "(1, 2.5, 0)".
std::string place_words(const Vector3& place);

/// The first 500 particles that the run's sources start, or as many as there are. ConfigError where
/// a source finds no place to start from.
std::vector<SourceParticle> first_particles(const ReachCheck& check);

/// Starts the first particles of the run, without a flight. ConfigError where so many of them have
/// no cell that the run would be given up, where all that a source starts end at once (in cells of
/// importance 0, or after the time cutoff), and where an eigenvalue problem has nothing that
/// fissions or no place to start from. Returns what is to be warned of: the same of a part of them.
std::vector<std::string> check_sources(const ReachCheck& check);

/// ConfigError where the mesh of the entropy, of weight windows or of a tally has no part in the
/// geometry, or a tally counts in cells of importance 0 alone. Returns what is to be warned of:
/// tallies that count only in cells that were not met.
std::vector<std::string> check_meshes(const ReachCheck& check);

/// ConfigError where histories cannot end, since nothing absorbs and no boundary lets particles
/// leave, and where weight windows would split a particle of the source into more than a million,
/// or let none in a million survive. Returns what is to be warned of: steep windows, and what the
/// first ten histories of the run show, which are followed for 100,000 flights and 20,000 particles
/// each at most.
std::vector<std::string> check_histories(const ReachCheck& check);

/// ConfigError where a point detector is outside of the geometry, or without an exclusion sphere in
/// what scatters, and where a source's density of directions at a detector is not known. Returns
/// what is to be warned of. Nothing where no tally has detectors.
std::vector<std::string> check_detectors(const ReachCheck& check);

}  // namespace gsim::transport
