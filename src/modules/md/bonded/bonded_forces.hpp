#pragma once
// Bonds, angles, dihedrals and 1-4 pairs as one term of the forces, and the pairs that they exclude
// from the pair potentials.
//
// Every rank computes all interactions of its atoms and stores the forces on these only, so that
// only positions of ghosts are communicated. An interaction of atoms of several ranks, or of
// several blocks of rows, is computed once for each.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/modules/md/bonded/bonded_list.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/bonded/topology/special_pairs.hpp"
#include "src/modules/md/bonded/topology/topology_columns.hpp"
#include "src/modules/md/forces/exclusions.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/simulation/id_rows.hpp"

namespace gsim::md {

/// The largest distance between atoms of one interaction, equal to BondedForces::reach().
double bonded_reach(const BondedParameters& parameters, const Topology& topology);

class BondedForces : public ForceTerm {
 public:
  /// Adds columns to `particles`; `particles` and `topology` must outlive the object. `topology` is
  /// the same on every rank; `atoms`: number of atoms of the whole system. InputError for
  /// parameters out of range, and for atoms that do not exist.
  BondedForces(Particles& particles, const Box& box, const Topology& topology, Index atoms,
               BondedParameters parameters);

  /// The names among "bond", "angle", "dihedral" and "pair14" of the interactions of the system.
  std::vector<std::string> energy_names() const override { return names_; }
  double reach() const override { return reach_; }
  LargestForce largest() const override { return largest_; }
  void set_quanta(const ForceQuanta& quanta) override;
  void fill(Particles& particles) override;
  void exclude(const ForceContext& context) override {
    special_.find_exclusions(context.particles.store, exclusions_);
  }
  /// Lists the interactions by rows, after exclude(). NumericalError on all ranks if on one of them
  /// an atom of an interaction is neither local nor a ghost.
  void rebuild(const ForceContext& context) override;
  void box_changed(const Box& box) override { box_matrix_ = box.matrix(64); }
  /// NumericalError on the ranks that own an atom of an interaction out of range: a bond longer
  /// than its max_length, atoms at the same position, three atoms of a dihedral in line.
  void compute(const ForceContext& context, ForceSums& sums) override;

  /// The exclusions of the locals' rows since the last exclude().
  const Exclusions& exclusions() const { return exclusions_; }
  /// The number of interactions that this rank computed at the last compute().
  Index interactions() const;

 private:
  /// An interaction of a local atom with a partner that is neither local nor a ghost, by ids.
  struct Missing {
    bool found = false;
    const char* kind = "";
    std::int64_t atom = 0, partner = 0;
  };
  /// Replaces `lowest` by `candidate` if this has lower ids.
  static void keep_lowest(Missing& lowest, const Missing& candidate);
  // These functions make the lists of one kind of interaction, without entries; `energy` is the
  // index of the energy in names_.
  void add_bonds();
  void add_bonds(const BondKind& kind, std::size_t energy);
  void add_angles();
  void add_angles(const AngleKind& kind, std::size_t energy);
  void add_dihedrals();
  void add_scaled_pairs();
  /// Appends a name to names_ and returns its index.
  std::size_t add_energy(const char* name);
  /// Increases largest_ to these values where they are larger.
  void raise_largest(double force, double energy);

  template <int n>
  void list_interactions(ParticleStore& store, const TopologyColumns<n>& columns,
                         const std::vector<std::int32_t>& list_of, std::vector<Missing>& missing);
  void list_scaled_pairs(Particles& particles, std::vector<Missing>& missing);
  /// Divides the rows of the locals into blocks, whose interactions are listed separately.
  void divide_into_blocks(Index locals);
  [[noreturn]] void throw_missing(const Missing& missing) const;
  void check_faults(const ForceContext& context);
  std::string describe_fault(const ForceContext& context, BondedJob job, const BondedList& list,
                             std::uint64_t first_id) const;
  const BondedList* pair_list() const {
    return pair_list_ < 0 ? nullptr : &lists_[static_cast<std::size_t>(pair_list_)];
  }
  BondedJob job(const ForceContext& context) const;

  Executor executor_;
  const Topology& topology_;
  Index atoms_;
  BondedParameters parameters_;
  std::vector<std::string> names_;
  double max_arm_ = 0, reach_ = 0;
  LargestForce largest_;
  ForceQuanta quanta_;
  std::array<double, 6> box_matrix_;
  std::array<std::vector<std::string>, 3> labels_;  // of types of bonds, angles, dihedrals

  TopologyColumns<2> bonds_;
  TopologyColumns<3> angles_;
  TopologyColumns<4> dihedrals_;
  SpecialColumns special_;
  Exclusions exclusions_;

  std::vector<BondedList> lists_;
  /// The index in lists_ by type.
  std::vector<std::int32_t> bond_list_, angle_list_, dihedral_list_;
  int pair_list_ = -1;

  IdRows rows_;
  // The first row of each block, then the end of the last block.
  std::vector<std::int32_t> block_first_row_;
};

}  // namespace gsim::md
