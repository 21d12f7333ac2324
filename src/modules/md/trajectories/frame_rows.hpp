#pragma once
// The atoms of a trajectory in the order of ids, and their distribution over ranks.

#include <cstring>
#include <string>
#include <vector>

#include "gsim/domain/migrator.hpp"
#include "src/modules/md/sampling/output_setup.hpp"

namespace gsim::md {

/// The atoms of a trajectory: all, or those of some types. Each rank has the rows of a contiguous
/// part of the ids.
class FrameRows {
 public:
  /// `types`: names, empty: all atoms. InputError for unknown and repeated names.
  FrameRows(const OutputSetup& setup, const std::vector<std::string>& types,
            const std::string& trajectory);

  /// Determines the atoms from the first snapshot or from a checkpoint. Collective.
  void select(const Snapshot& snapshot);
  void select(DatasetReader& reader);

  Index total() const { return total_; }
  /// The rows of this rank. The rows of all ranks are [0, total()), in the order of ranks.
  IndexRange local() const { return local_; }
  /// For each row of this rank: the index of the atom, its type, charge, and its id in the input.
  const std::vector<Index>& atoms() const { return atoms_; }
  const std::vector<std::int32_t>& types() const { return types_; }
  const std::vector<double>& charges() const { return charges_; }
  Index id_of(Index atom) const {
    return setup_.given_ids.empty() ? atom + 1 : setup_.given_ids[static_cast<std::size_t>(atom)];
  }
  std::vector<Index> ids() const;
  /// The molecule number of each row of this rank; empty if molecules are unknown.
  std::vector<std::int64_t> molecules() const;
  /// Whether all atoms of the run are in the trajectory.
  bool is_all() const { return total_ == setup_.atoms; }

  /// The rows of this rank in a column of the particle store. Collective.
  template <class Row>
  std::vector<Row> rows(const Snapshot& snapshot, ColumnId column) const {
    const std::vector<std::byte> all =
        rows_by_id(snapshot.communicator, snapshot.particles.store, column, snapshot.atoms);
    std::vector<Row> selected(atoms_.size());
    for (std::size_t i = 0; i < selected.size(); ++i)
      std::memcpy(&selected[i],
                  all.data() + static_cast<std::size_t>(atoms_[i] - share_.first) * sizeof(Row),
                  sizeof(Row));
    return selected;
  }

 private:
  void set_atoms(const std::vector<std::int32_t>& types, const std::vector<double>& charges);

  const OutputSetup& setup_;
  std::vector<bool> is_selected_;  // by type
  IndexRange share_;               // part of the ids that this rank writes
  IndexRange local_;
  Index total_ = 0;
  std::vector<Index> atoms_;
  std::vector<std::int32_t> types_;
  std::vector<double> charges_;
};

}  // namespace gsim::md
