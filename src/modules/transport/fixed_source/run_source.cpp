#include "src/modules/transport/fixed_source/run_source.hpp"

#include <vector>

namespace gsim::transport {

BatchSums run_source(Histories& histories, System& system, Index batch) {
  if (system.supply() == nullptr) return histories.run(batch);
  const IndexRange mine = histories.mine();
  const Index first = batch * histories.particles();
  std::vector<SourceParticle> particles;
  histories.communicator().agree([&] {
    particles = system.supply()->particles({first + mine.first, first + mine.last});
  });
  return histories.run(batch, particles);
}

}  // namespace gsim::transport
