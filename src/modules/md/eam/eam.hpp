#pragma once
// Forces of embedded atoms on the host, over cluster pair lists, in sums of integers that do not
// depend on lists, threads, registers or ranks.
//
// U = sum F(rho) + sum phi(r); the force between atoms i and j is -(F'(rho_i) rho_j'(r) + F'(rho_j)
// rho_i'(r) + phi'(r)) along r (Daw and Baskes, Phys. Rev. B 29, 6443 (1984), eqs. 4 and 14). One
// pass over the pairs sums densities; F' of every local is sent to where it is a ghost; another
// pass adds forces. A density beyond the end of the table of F: F goes on straight.

#include <memory>

#include "src/modules/md/eam/eam_tables.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/nonbonded/cluster_pairs.hpp"

namespace gsim::md {

class Eam : public ShortRange {
 public:
  /// Adds a column to the store of `particles`, whose type indexes the tables: eV and angstrom are
  /// the units. Its messages bear `halo_tag`. InputError and DeviceError as ClusterPairs. Quanta
  /// are those that suit largest() alone, until set_quanta().
  Eam(Executor executor, const Box& box, const EamTables& tables, double skin,
      PairPrecision precision, Particles& particles, int halo_tag = 1);
  ~Eam() override;
  Eam(Eam&&) noexcept;
  Eam& operator=(Eam&&) noexcept;

  /// "embedding" and "pair".
  std::vector<std::string> energy_names() const override;
  double cutoff() const override;
  LargestForce largest() const override;
  /// InputError where largest() is above 2^50 of them.
  void set_quanta(const ForceQuanta& quanta) override;
  const ForceQuanta& quanta() const;

  void box_changed(const Box& box) override;
  void rebuild(const ForceContext& context) override;
  View<const std::int32_t> spatial_order() const override;
  bool load_locals(const ForceContext& context) override;
  void compute_locals(const ForceContext& context) override;
  /// Also sends and receives F'.
  void compute_ghosts(const ForceContext& context) override;
  /// NumericalError when atoms overlap: in mixed precision where a pair's force over its distance
  /// is above 64 eV/angstrom^2, or its density above a quarter of what the table of F reaches to.
  void collect(const ForceContext& context, ForceSums& sums) override;

  std::int64_t work(std::span<std::int64_t> shares) const override;
  double take_waiting() override;

  /// Cluster pairs in the lists.
  Index cluster_pairs() const;

 private:
  class Engine;
  template <class Real>
  class EngineOf;
  std::unique_ptr<Engine> engine_;
};

}  // namespace gsim::md
