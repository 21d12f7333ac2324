#pragma once
// Generations of fission neutrons on all ranks: the histories of one, and the choice of the sites
// that the next one starts from. What comes out depends on seed, geometry, data and the number of
// neutrons alone, not on ranks or threads.

#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/exec/array.hpp"
#include "kernels/transport/generation.hpp"

namespace gsim::transport {

/// What the histories of one generation were, over all ranks.
struct GenerationSums {
  double k_collision = 0;  ///< neutrons made a neutron started, by the collision estimator
  double k_absorption = 0;
  double k_track_length = 0;
  double leakage = 0;  ///< weight that left, a neutron
  Index sites = 0;     ///< of fission neutrons that were made
  std::int64_t collisions = 0, flights = 0, lost = 0;
  LostParticle first_lost;  ///< of the lowest history; its reason is none where nothing was lost
};

struct GenerationsSetup {
  GeometryView geometry;  ///< in the executor's memory
  MaterialView materials;
  HistoryRules rules;
  std::uint64_t seed = 0;
  Index particles = 0;  ///< neutrons a generation, over all ranks
};

class Generations {
 public:
  Generations(Communicator communicator, Executor executor, const GenerationsSetup& setup);

  /// The neutrons of the next generation that this rank starts, in order: those of
  /// partition({0, particles}, ranks, rank).
  const std::vector<Site>& source() const { return source_; }
  void set_source(std::vector<Site> source);

  /// Runs the histories of generation number `generation` (from 0), whose fission yields are
  /// divided by `k`, and chooses the next source from the sites that they leave. Collective.
  /// NumericalError where no site is left.
  GenerationSums run(Index generation, double k);

 private:
  void run_histories(GenerationArgs& args);
  GenerationSums add_up(const std::vector<HistoryScores>& scores) const;
  void choose_source(Index generation);

  Communicator communicator_;
  Executor executor_;
  GenerationsSetup setup_;
  std::vector<Site> source_;
  std::vector<Site> sites_;  ///< of this rank's histories, in order
  std::vector<SiteChunk> chunks_;
  std::vector<std::vector<Site>> chunk_sites_;
};

/// The site that place `j` of a comb of `teeth` takes out of `sites` ordered ones; offset in [0,
/// 2^32) shifts the whole comb by a part of its pitch.
Index comb_site(Index j, Index teeth, Index sites, std::uint32_t offset);

/// The Shannon entropy, in bits, of shares of a whole given as counts: -sum p log2 p.
double shannon_entropy(const std::vector<std::int64_t>& counts);

}  // namespace gsim::transport
