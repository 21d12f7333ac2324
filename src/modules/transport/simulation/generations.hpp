#pragma once
// Generations of fission neutrons on all ranks: the histories of one, and the choice of the sites
// that the next one starts from. What comes out depends on seed, geometry, data and the number of
// neutrons alone, not on ranks or threads.

#include <vector>

#include "src/modules/transport/simulation/histories.hpp"

namespace gsim::transport {

class Generations {
 public:
  /// Fission yields go into the next generation, whatever setup.rules say.
  Generations(Communicator communicator, Executor executor, HistoriesSetup setup);

  /// The neutrons of the next generation that this rank starts, in order: those of
  /// histories().mine().
  const std::vector<Site>& source() const { return source_; }
  void set_source(std::vector<Site> source);
  const Histories& histories() const { return histories_; }
  Histories& histories() { return histories_; }

  /// Runs the histories of generation number `generation` (from 0), whose fission yields are
  /// divided by `k`, and chooses the next source from the sites that they leave. Collective.
  /// NumericalError where no site is left.
  BatchSums run(Index generation, double k);

 private:
  void choose_source(Index generation);

  Histories histories_;
  std::vector<Site> source_;
};

/// The site that place `j` of a comb of `teeth` takes out of `sites` ordered ones; offset in [0,
/// 2^32) shifts the whole comb by a part of its pitch.
Index comb_site(Index j, Index teeth, Index sites, std::uint32_t offset);

}  // namespace gsim::transport
