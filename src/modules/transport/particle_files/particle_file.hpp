#pragma once
// An MCPL file of particles at surface crossings. Particles are in the order of their histories
// and, within a history, of CrossingRecord::random and order, so that the file is the same on any
// ranks and threads. It is appended to during the run (AppendOnlyFile) and after a restart.

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

/// A batch of source particles.
struct SourceBatch {
  double particles = 1;  ///< number of particles
  double strength = 1;   ///< total strength of the sources, 1/s or 1; 1 in eigenvalue calculations
};

class ParticleFile {
 public:
  /// Does not access the disk.
  ParticleFile(const Communicator& communicator, const Executor& executor,
               const ParticleFileConfig& config, const Geometry& geometry,
               const MaterialSet& materials, const std::string& output, const SourceBatch& batch);

  /// ConfigError for unknown surfaces, surfaces without crossings, and unknown energies of groups.
  static void check(const ParticleFileConfig& config, const Geometry& geometry,
                    const MaterialSet& materials, bool is_delta_tracking);

  /// The surfaces at which histories record crossings; a view of the executor's memory.
  RecordedSurfaces recorded() const;

  /// Starts an empty file. Either this or restore() is called first. Collective, as all below.
  void start();
  /// Appends the crossings of a batch that this rank's histories have recorded, in order. IoError
  /// if the disk is full.
  void add(std::span<const CrossingRecord> mine);
  /// Flushes all particles to disk.
  void save(DatasetWriter& writer) const;
  void restore(DatasetReader& reader);
  /// Renames the file to its final name. Writes its name and contents below "particle_file".
  void write_results(DatasetWriter& writer) const;
  /// A line of the report.
  std::string summary() const;
  std::uint64_t digest() const;

  /// Recorded weight of each batch per source particle, including batches that are not written
  /// since the limit is reached.
  const std::vector<double>& weights() const { return weights_; }

 private:
  bool is_full() const { return config_.limit > 0 && particles_ >= config_.limit; }
  McplParticle particle(const CrossingRecord& from) const;
  /// The header for the particles in the file.
  std::string header_text() const;

  const ParticleFileConfig& config_;
  Communicator communicator_;
  std::vector<double> energies_;        ///< of groups, MeV
  std::vector<std::uint32_t> numbers_;  ///< of recorded surfaces, from 1 on; 0: others
  Array<std::int32_t> sides_;           ///< RecordedSurfaces::sides
  SourceBatch batch_;
  McplHeader header_;
  Index particles_ = 0, batches_ = 0;  ///< numbers of those in the file
  std::unique_ptr<AppendOnlyFile> file_;
  std::vector<double> weights_;
  mutable std::string backup_path_;  ///< new name of an earlier file of the same name; empty: none
};

}  // namespace gsim::transport
