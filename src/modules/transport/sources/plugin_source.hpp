#pragma once
// Source particles out of a plugin's kernel.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/transport/source_kind.hpp"
#include "src/modules/transport/sources/particle_supply.hpp"

namespace gsim::transport {

/// Samples on the run's executor; particles come back to the host, where histories are given out.
class PluginSource : public ParticleSupply {
 public:
  /// `numbers`: what the kind's keys were read to. Random numbers belong to `seed` and the kind's
  /// name.
  PluginSource(const Executor& executor, const SourceKind& kind, std::vector<double> numbers,
               std::int32_t groups, std::uint64_t seed);

  /// NumericalError that names the first history whose particle cannot start: it has no group, a
  /// direction that is none, a weight below 0, or a number that is not finite.
  std::vector<SourceParticle> particles(IndexRange histories) override;

 private:
  Executor executor_;
  const SourceKind& kind_;
  Array<double> numbers_;
  std::int32_t groups_;
  PhiloxKey key_;
};

}  // namespace gsim::transport
