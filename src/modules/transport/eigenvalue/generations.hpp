#pragma once
// Generations of fission neutrons on all ranks: the histories of one generation, and the selection
// of the sites that the next one starts from. Results depend on the seed, the geometry, the cross
// sections and the number of neutrons alone, not on ranks or threads.

#include <cstdint>
#include <vector>

#include "src/modules/transport/tracking/histories.hpp"

namespace gsim::transport {

/// A comb: selects `teeth` of `sites` ordered sites at equal distances. `offset`, in [0, 2^32),
/// shifts the comb by the fraction offset / 2^32 of its pitch.
struct Comb {
  Index teeth = 0, sites = 0;
  std::uint32_t offset = 0;
  /// The site that the tooth 0 <= tooth < teeth selects.
  Index site(Index tooth) const;
  /// The first tooth whose site is not below `from`; `teeth` if there is none.
  Index first_tooth(Index from) const;
};

class Generations {
 public:
  /// `args`, `particles`: as for Histories; HistoryRules::fission is set to Fission::next. `seed`:
  /// seed of the random numbers that select sites.
  Generations(Communicator communicator, Executor executor, const HistoriesArgs& args,
              Index particles, std::uint64_t seed);

  /// The sites from which this rank starts its histories of the next generation, in the order of
  /// histories().mine().
  const std::vector<FissionSite>& source() const { return source_; }
  void set_source(std::vector<FissionSite> source);
  const Histories& histories() const { return histories_; }
  Histories& histories() { return histories_; }

  /// Runs the histories of generation number `generation` (from 0), whose fission yields are
  /// divided by `k`, and selects the next source from the sites that they bank. Collective.
  /// NumericalError if no site was banked.
  BatchSums run(Index generation, double k);

 private:
  void select_source(Index generation);
  /// Copies the sites that these teeth of the comb select, all of them on this rank, to `to`.
  void copy_sites(IndexRange teeth, FissionSite* to) const;

  Histories histories_;
  std::uint64_t seed_;
  Comb comb_;             ///< of the last generation
  Index first_site_ = 0;  ///< number of this rank's first site among those of all ranks
  std::vector<FissionSite> source_;
};

}  // namespace gsim::transport
