#pragma once
// Generations of fission neutrons on all ranks: the histories of one, and the choice of the sites
// that the next one starts from. What comes out depends on seed, geometry, data and the number of
// neutrons alone, not on ranks or threads.

#include <cstdint>
#include <vector>

#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// Chooses `teeth` of `sites` ordered ones at equal distances; offset in [0, 2^32) shifts the whole
/// comb by a part of its pitch.
struct Comb {
  Index teeth = 0, sites = 0;
  std::uint32_t offset = 0;
  /// The site that place 0 <= place < teeth takes.
  Index site(Index place) const;
  /// The first place whose site is not before `from`; teeth: there is none.
  Index first_place(Index from) const;
};

class Generations {
 public:
  /// Fission yields go into the next generation, whatever setup.rules say.
  Generations(Communicator communicator, Executor executor, HistoriesSetup setup);

  /// The neutrons of the next generation that this rank starts, in order: those of
  /// histories().mine().
  const std::vector<FissionSite>& source() const { return source_; }
  void set_source(std::vector<FissionSite> source);
  const Histories& histories() const { return histories_; }
  Histories& histories() { return histories_; }

  /// Runs the histories of generation number `generation` (from 0), whose fission yields are
  /// divided by `k`, and chooses the next source from the sites that they leave. Collective.
  /// NumericalError where no site is left.
  BatchSums run(Index generation, double k);

 private:
  void choose_source(Index generation);
  /// What stands at these places of the comb, all of them this rank's sites, at to[0] and on.
  void take(IndexRange places, FissionSite* to) const;

  Histories histories_;
  Comb comb_;             ///< of the last generation
  Index first_site_ = 0;  ///< of this rank, among those of all
  std::vector<FissionSite> source_;
};

}  // namespace gsim::transport
