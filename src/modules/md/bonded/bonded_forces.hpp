#pragma once
// Bonds, angles, dihedrals and 1-4 pairs as one term of the forces, and the pairs that they take
// from the pair potentials.
//
// Every rank computes the interactions of its atoms and keeps the forces on these, so that ghosts
// need only positions. Between ranks, as between threads, an interaction is computed by each whose
// atoms it moves.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/modules/md/bonded/bonded_list.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/bonded/special_pairs.hpp"
#include "src/modules/md/bonded/topology_columns.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/simulation/id_rows.hpp"

namespace gsim::md {

/// How far atoms of one interaction may be apart: BondedForces::reach(), before there is one.
double bonded_reach(const BondedParameters& parameters, const Topology& topology);

class BondedForces : public ForceTerm {
 public:
  /// For the columns that `particles` gets, which outlives it as `topology` does: the same on every
  /// rank, of `atoms` atoms in all. InputError for parameters that make no sense, or atoms that do
  /// not exist.
  BondedForces(Particles& particles, const Box& box, const Topology& topology, Index atoms,
               BondedParameters parameters);

  /// Of "bond", "angle", "dihedral" and "pair14" those that there are.
  std::vector<std::string> energy_names() const override { return names_; }
  double reach() const override { return reach_; }
  LargestForce largest() const override { return largest_; }
  void set_quanta(const ForceQuanta& quanta) override;
  void fill(Particles& particles) override;
  void exclude(const ForceContext& context) override {
    special_.list(context.particles.store, exclusions_);
  }
  /// Follows exclude(). NumericalError on all ranks where one of them does not find an atom's
  /// partner.
  void rebuild(const ForceContext& context) override;
  void box_changed(const Box& box) override { metric_ = box.metric(64); }
  /// NumericalError on the ranks that own an atom of an interaction beyond its range: a bond longer
  /// than its max_length, atoms at one place, three atoms of a dihedral in line.
  void compute(const ForceContext& context, ForceSums& sums) override;

  /// What pair potentials leave out around the locals' rows of the last exclude().
  const Exclusions& exclusions() const { return exclusions_; }
  /// Interactions that this rank computed at the last compute().
  Index interactions() const;

 private:
  /// An interaction of a local atom one of whose other atoms is not here.
  struct Missing {
    bool found = false;
    const char* kind = "";
    std::int64_t own = 0, other = 0;
  };
  static void keep_first(Missing& kept, const Missing& next);
  void add_bond_laws();
  void add_open_bonds(const BondKind& kind, std::size_t energy);
  void add_open_angles(const AngleKind& kind, std::size_t energy);
  void add_angle_laws();
  void add_dihedrals();
  void add_scaled_pairs();
  std::size_t add_energy(const char* name);
  void allow(double force, double energy);

  template <int n>
  void list(ParticleStore& store, const TopologyColumns<n>& columns,
            const std::vector<std::int32_t>& law_of, std::vector<Missing>& missing);
  void list_scaled_pairs(Particles& particles, std::vector<Missing>& missing);
  void cut_blocks(Index locals);
  [[noreturn]] void throw_missing(const Missing& missing) const;
  void check_faults(const ForceContext& context);
  std::string describe_fault(const ForceContext& context, BondedJob job, const LawList& list,
                             std::uint64_t first_id) const;
  const LawList* pair_list() const {
    return pair_list_ < 0 ? nullptr : &lists_[static_cast<std::size_t>(pair_list_)];
  }
  BondedJob job(const ForceContext& context) const;

  Executor executor_;
  const Topology& topology_;
  Index atoms_;
  BondedParameters parameters_;
  std::vector<std::string> names_;
  double arm_ = 0, reach_ = 0;
  LargestForce largest_;
  ForceQuanta quanta_;
  std::array<double, 6> metric_;
  std::array<std::vector<std::string>, 3> labels_;  // of types of bonds, angles, dihedrals

  TopologyColumns<2> bonds_;
  TopologyColumns<3> angles_;
  TopologyColumns<4> dihedrals_;
  SpecialColumns special_;
  Exclusions exclusions_;

  std::vector<LawList> lists_;
  /// By type the list in lists_.
  std::vector<std::int32_t> bond_list_, angle_list_, dihedral_list_;
  int pair_list_ = -1;

  IdRows rows_;
  std::vector<std::int32_t> edges_;  // where blocks of rows begin
};

}  // namespace gsim::md
