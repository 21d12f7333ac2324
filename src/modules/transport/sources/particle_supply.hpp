#pragma once
// Where source particles come from that no SourceView describes: a file, a plugin.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/transport/source_particle.hpp"

namespace gsim::transport {

class ParticleSupply {
 public:
  virtual ~ParticleSupply() = default;
  /// The particles of histories [histories.first, histories.last), which never depend on who asks.
  virtual std::vector<SourceParticle> particles(IndexRange histories) = 0;
  /// Digest of what stands outside of the configuration and decides particles(); 0: nothing.
  virtual std::uint64_t digest() const { return 0; }
};

}  // namespace gsim::transport
