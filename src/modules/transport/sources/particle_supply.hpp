#pragma once
// Source particles that are not sampled from a SourceView: from a file or a sampler of a plugin.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/transport/source_particle.hpp"

namespace gsim::transport {

class ParticleSupply {
 public:
  virtual ~ParticleSupply() = default;
  /// The particles of histories [histories.first, histories.last), the same on every rank.
  virtual std::vector<SourceParticle> particles(IndexRange histories) = 0;
  /// Digest of data outside of the configuration that particles() depends on; 0: none.
  virtual std::uint64_t digest() const { return 0; }
};

}  // namespace gsim::transport
