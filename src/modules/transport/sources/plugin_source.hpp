#pragma once
// Source particles from the kernel of a plugin.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "gsim/transport/source_kind.hpp"
#include "src/modules/transport/sources/particle_supply.hpp"

namespace gsim::transport {

/// Samples on the executor of the run, and copies the particles to the host, which distributes
/// histories.
class PluginSource : public ParticleSupply {
 public:
  /// `numbers`: the parameters that SourceKind::describe returned. Random number streams depend on
  /// `seed` and the name of the kind.
  PluginSource(const Executor& executor, const SourceKind& kind, std::vector<double> numbers,
               std::int32_t groups, std::uint64_t seed);

  /// NumericalError for the first history whose particle is invalid: an unknown group, a direction
  /// that is not a unit vector, a negative weight, or a number that is not finite.
  std::vector<SourceParticle> particles(IndexRange histories) override;

 private:
  Executor executor_;
  const SourceKind& kind_;
  Array<double> numbers_;
  std::int32_t groups_;
  PhiloxKey key_;
};

}  // namespace gsim::transport
