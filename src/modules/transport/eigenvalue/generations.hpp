#pragma once
// Generations of fission neutrons on all ranks: the histories of one generation, and the selection
// of the sites that the next one starts from. Results depend on the seed, the geometry, the cross
// sections and the number of neutrons alone, not on ranks or threads.

#include <cstdint>
#include <vector>

#include "gsim/exec/array.hpp"
#include "kernels/transport/eigenvalue/comb.hpp"
#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

class Generations {
 public:
  /// `args`, `particles`: as for Histories; HistoryRules::fission is set to Fission::next. `seed`:
  /// seed of the random numbers that select sites.
  Generations(Communicator communicator, Executor executor, const HistoriesArgs& args,
              Index particles, std::uint64_t seed);

  /// The sites from which this rank starts its histories of the next generation, in the order of
  /// histories().mine(): in the memory of the executor, or a copy in that of the host.
  View<const FissionSite> source() const { return source_.view(); }
  std::vector<FissionSite> source_on_host() const { return source_.to_host(); }
  void set_source(const std::vector<FissionSite>& source);
  const Histories& histories() const { return histories_; }
  Histories& histories() { return histories_; }

  /// Runs the histories of generation number `generation` (from 0), whose fission yields are
  /// divided by `k`, and selects the next source from the sites that they bank. Collective.
  /// NumericalError if no site was banked.
  BatchSums run(Index generation, double k);

 private:
  /// The sites that a rank has banked, and the comb over those of all ranks.
  struct Selection {
    OrderedSites sites;
    Index first_site = 0;  ///< number of this rank's first site among those of all ranks
    Comb comb;
  };
  void select_source(Index generation);
  /// Copies the sites that these teeth of the comb select, all of them on this rank, to `to`, in
  /// the memory of the executor.
  void copy_sites(const Selection& selection, IndexRange teeth, FissionSite* to) const;
  /// Sends the sites that `teeth` select to the ranks that own these teeth, and receives those for
  /// the teeth of this rank from other ranks.
  void exchange_sites(const Selection& selection, IndexRange teeth);

  Histories histories_;
  std::uint64_t seed_;
  Array<FissionSite> source_;
  Array<FissionSite> outgoing_;  ///< selected sites for other ranks, in the order of these
};

}  // namespace gsim::transport
