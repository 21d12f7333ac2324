#pragma once
// Radial distribution functions of pairs of types, and running coordination numbers.
//
//     g_ab(r) = <n_ab(r)> V / (N_ab v(r)),     v = 4 pi / 3 (r_+^3 - r_-^3)
// with n_ab the number of pairs whose distance is in the bin [r_-, r_+), and N_ab that of all
// pairs: N_a N_b, or N_a (N_a - 1) / 2 of one type, so that an ideal gas of any number of atoms has
// g = 1 (M. P. Allen and D. J. Tildesley, Computer Simulation of Liquids, 2nd ed. (2017),
// Sec. 8.2.1, with N - 1 for N). V is the volume of each snapshot. Along open axes g is normalised
// by the volume of the box. The running coordination number is the mean number of atoms b within
// r_+ of an atom a.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "gsim/md/observers/observer.hpp"
#include "src/modules/md/sampling/pair_histogram.hpp"
#include "src/modules/md/sampling/type_groups.hpp"

namespace gsim::md {

struct RadialDistributionConfig {
  double r_max = 0;
  Index bins = 200;
  std::vector<std::string> types;  ///< types of the atoms whose pairs are counted; empty: all
};

class RadialDistribution : public Observer {
 public:
  RadialDistribution(std::string name, const SampleSteps& steps,
                     const RadialDistributionConfig& config, const ObserverSetup& setup);

  Index next(Index step) const override { return steps_.next(step); }
  double reach() const override { return shape_.r_max; }
  /// InputError if a periodic axis of the box is narrower than 2 r_max.
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  /// g of types a and b (indices in the list, b >= a) in bin `bin`, and the mean number of atoms b
  /// around an atom a up to this bin.
  BlockedMean g(Index a, Index b, Index bin) const;
  BlockedMean coordination(Index a, Index b, Index bin) const;
  /// The number of pairs in all snapshots.
  Index pairs(Index a, Index b, Index bin) const;

 private:
  double possible_pairs(Index a, Index b) const;  ///< N_ab
  double centre(Index bin) const {
    return (static_cast<double>(bin) + 0.5) * shape_.r_max / static_cast<double>(shape_.bins);
  }
  /// Adds the numbers of pairs of one snapshot, by pair of types and bin.
  void add(std::span<const Index> counts, double volume);

  std::string name_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  TypeGroups types_;
  HistogramShape shape_;
  std::vector<Index> totals_;  // number of pairs, by pair of types and bin
  Blocking blocking_;          // g and coordination, by pair of types and bin
};

}  // namespace gsim::md
