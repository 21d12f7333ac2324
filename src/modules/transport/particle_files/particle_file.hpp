#pragma once
// An MCPL file of particles that cross surfaces. Particles stand in the order of their histories,
// and of one history in an order of its own (CrossingRecord), so that the file is the same on any
// ranks and threads. It grows during the run (AppendOnlyFile) and goes on after a resume.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/io/append_only_file.hpp"
#include "src/modules/transport/geometry/geometry.hpp"
#include "src/modules/transport/materials/material.hpp"
#include "src/modules/transport/particle_files/mcpl_file.hpp"
#include "src/modules/transport/particle_files/particle_file_config.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// What starts in each batch.
struct BatchOfSource {
  double particles = 1;
  double strength = 1;
};

class ParticleFile {
 public:
  /// Touches no disk.
  ParticleFile(const Communicator& communicator, const Executor& executor,
               const ParticleFileConfig& config, const Geometry& geometry,
               const MaterialSet& materials, const std::string& output, const BatchOfSource& batch);

  /// ConfigError where surfaces are not there or cannot be seen, or where energies are not known.
  static void check(const ParticleFileConfig& config, const Geometry& geometry,
                    const MaterialSet& materials, bool is_delta_tracking);

  /// Which crossings histories shall note; in the executor's memory.
  RecordedSurfaces recorded() const;

  /// Begins without particles. Either this or restore() comes first. Collective, as are all below.
  void start();
  /// What this rank's histories of a batch noted, in their order. IoError when the disk is full.
  void add(std::span<const CrossingRecord> mine);
  /// Makes all particles durable.
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);
  /// Gives the file its name. Under "particle_file": its name, and what it holds.
  void write_results(DatasetWriter& writer) const;
  /// A line for people.
  std::string summary() const;
  std::uint64_t digest() const;

  /// Weight that each batch wrote, by source particle. (Those that came after the limit as well.)
  const std::vector<double>& weights() const { return weights_; }

 private:
  bool is_full() const { return config_.limit > 0 && particles_ >= config_.limit; }
  McplParticle particle(const CrossingRecord& from) const;
  std::string head() const;

  const ParticleFileConfig& config_;
  Communicator communicator_;
  std::vector<double> energies_;        ///< of groups, MeV
  std::vector<std::uint32_t> numbers_;  ///< of surfaces that count, from 1 on; 0: it does not
  Array<std::int32_t> sides_;
  BatchOfSource batch_;
  McplHeader header_;
  Index particles_ = 0, batches_ = 0;  ///< in the file
  std::unique_ptr<AppendOnlyFile> file_;
  std::vector<double> weights_;
  mutable std::string former_;  ///< what became of another file of that name; empty: there was none
};

}  // namespace gsim::transport
