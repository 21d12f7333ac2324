#pragma once
// Source particles out of an MCPL file.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/transport/particle_files/mcpl_file.hpp"
#include "src/modules/transport/sources/particle_supply.hpp"

namespace gsim::transport {

/// The particles of a file that are of one kind and whose energies lie within the groups, numbered
/// in the file's order. History h starts as particle h mod size(), so that it never matters who
/// computes it; weights are scaled so that their mean is 1.
class McplSource : public ParticleSupply {
 public:
  /// Reads the file once through. `bounds`: energies between the groups, eV, falling; they may be
  /// empty where there is one group. InputError when no particle of it can start.
  McplSource(const std::string& path, std::int32_t pdg, std::vector<double> bounds);

  Index size() const { return size_; }
  /// Sum of the weights of the particles that start, as the file has them.
  double total_weight() const { return total_weight_; }
  /// Weight that starts, by source particle of the run of gsim that wrote the file, times its
  /// source's strength; -1 where the file does not tell.
  double strength() const;
  /// For the user: what was left out, a line each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Digest of all particles that start.
  std::uint64_t digest() const override { return digest_; }

  /// The particles of histories [histories.first, histories.last).
  std::vector<SourceParticle> particles(IndexRange histories) override;

 private:
  bool convert(const McplParticle& from, SourceParticle& to) const;
  void read_through();
  SourceParticle next();

  std::string path_;
  McplReader reader_;
  std::int32_t pdg_;
  std::vector<double> bounds_;
  Index size_ = 0;
  double total_weight_ = 0;
  std::uint64_t digest_ = 0;
  std::vector<std::string> notes_;
  /// Position in the file of every `stride`-th particle that starts.
  static constexpr Index stride = 65536;
  std::vector<std::uint64_t> marks_;
  Index next_ = 0;  ///< number of the particle that next() gives
  std::vector<McplParticle> buffer_;
  std::size_t used_ = 0, filled_ = 0;
};

}  // namespace gsim::transport
