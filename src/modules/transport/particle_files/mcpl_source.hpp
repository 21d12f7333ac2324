#pragma once
// Source particles from an MCPL file.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/transport/particle_files/mcpl_file.hpp"
#include "src/modules/transport/sources/particle_supply.hpp"

namespace gsim::transport {

/// The particles of a file that are of one kind and have energies within the groups, in the order
/// of the file. History h starts as particle h mod size(), on whatever rank; weights are scaled so
/// that their mean is 1.
class McplSource : public ParticleSupply {
 public:
  /// Reads the whole file once. `bounds`: energies between the groups, decreasing, eV; may be empty
  /// if there is one group. InputError if none of its particles can be used.
  McplSource(const std::string& path, std::int32_t pdg, std::vector<double> bounds);

  Index size() const { return size_; }
  /// Sum of the weights in the file of the particles that are used.
  double total_weight() const { return total_weight_; }
  /// Weight per source particle of the run that wrote the file, times its source strength; -1 if
  /// the file does not contain it.
  double strength() const;
  /// Warnings about particles that are not used, one line each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Digest of all particles that are used.
  std::uint64_t digest() const override { return digest_; }

  /// The particles of histories [histories.first, histories.last).
  std::vector<SourceParticle> particles(IndexRange histories) override;

 private:
  /// Converts a particle to the units of transport; returns whether its energy is in a group.
  bool convert(const McplParticle& from, SourceParticle& to) const;
  /// Reads all particles of the file for the number, weight and digest of those that are used.
  void scan_file();
  /// The next particle of the file that is used; after the last one, the first.
  SourceParticle next();

  std::string path_;
  McplReader reader_;
  std::int32_t pdg_;
  std::vector<double> bounds_;
  Index size_ = 0;
  double total_weight_ = 0;
  std::uint64_t digest_ = 0;
  std::vector<std::string> notes_;
  static constexpr Index stride = 65536;
  /// Index in the file of every `stride`-th particle that is used.
  std::vector<std::uint64_t> stride_starts_;
  Index next_ = 0;  ///< index, among the particles that are used, of the one that next() returns
  std::vector<McplParticle> buffer_;
  /// Index in the buffer of the next particle, and number of particles that were read into it.
  std::size_t buffer_next_ = 0, buffer_count_ = 0;
};

}  // namespace gsim::transport
