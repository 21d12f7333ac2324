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

#include "kernels/md/bonded/interaction_rows.hpp"
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
  void exclude(const ForceContext& context) override;
  /// Lists the interactions by rows, after exclude(). NumericalError on all ranks if on one of them
  /// an atom of an interaction is neither local nor a ghost.
  void rebuild(const ForceContext& context) override;
  void box_changed(const Box& box) override { box_matrix_ = box.matrix(64); }
  /// NumericalError on the ranks that own an atom of an interaction out of range: a bond longer
  /// than its max_length, atoms at the same position, three atoms of a dihedral in line.
  void compute(const ForceContext& context, ForceSums& sums) override;
  bool can_batch_steps() const override { return executor_.is_cuda(); }
  void begin_batch() override;
  void undo_batch() override;

  /// The exclusions of the locals' rows since the last exclude().
  const Exclusions& exclusions() const { return exclusions_; }
  /// The number of interactions that this rank computed at the last compute().
  Index interactions() const;

 private:
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

  /// The interactions of one kind while they are listed.
  struct ListedTuples {
    explicit ListedTuples(const Executor& executor) : list_of(executor, 0), rows(executor, 0) {}
    Array<std::int32_t> list_of;  // by type
    Array<std::int32_t> rows;     // TupleRows::rows
  };
  /// Divides the rows of the locals into blocks, whose interactions are listed separately.
  void divide_into_blocks(Index locals);
  InteractionRows interaction_rows(Particles& particles);
  template <int n>
  TupleRows tuple_rows(Particles& particles, const TopologyColumns<n>& columns,
                       ListedTuples& tuples);
  ScaledPairRows scaled_pair_rows(Particles& particles);
  /// Counts the entries of all lists: sets counts_, list_sizes_ and missing_.
  void count_interactions(Particles& particles);
  template <int n>
  void list_tuples(Particles& particles, const TopologyColumns<n>& columns,
                   const std::vector<std::int32_t>& list_of, ListedTuples& tuples);
  BondedEntries bonded_entries(std::int32_t list);
  /// The number of interactions before each block of a list, and in all of them.
  std::vector<Index> first_entries(std::size_t list) const;
  /// NumericalError with the lowest id of a partner that the local atom `id` lacks.
  [[noreturn]] void throw_missing(ParticleStore& store, std::int64_t id);
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
  std::array<ListedTuples, 3> listed_;  // bonds, angles, dihedrals
  Array<std::int32_t> counts_;          // InteractionRows::counts, then the sum of all
  Array<std::uint64_t> summary_;        // InteractionRows::missing, then the size of each list
  std::vector<Index> list_sizes_;
  std::uint64_t missing_ = 0;  // lowest id of an atom that lacks a partner
};

}  // namespace gsim::md
