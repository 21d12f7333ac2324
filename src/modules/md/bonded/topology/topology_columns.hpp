#pragma once
// The topology in columns that migrate with atoms: the interactions of every atom, by global ids,
// with room for the largest number of interactions of any atom.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gsim/domain/particle_store.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The rows of a column in host memory: the column itself on a host executor, else a copy.
template <class T>
class HostRows {
 public:
  HostRows(ParticleStore& store, ColumnId column) {
    const View<T> rows = store.elements<T>(column);
    if (!store.executor().is_cuda()) {
      rows_ = {rows.data, rows.size};
      return;
    }
    copy_.resize(static_cast<std::size_t>(rows.size));
    if (rows.size > 0)
      store.executor().copy_to_host(copy_.data(), rows.data, copy_.size() * sizeof(T));
    rows_ = {copy_.data(), rows.size};
  }
  View<const T> view() const { return rows_; }

 private:
  std::vector<T> copy_;
  View<const T> rows_;
};

/// Tuples of n atoms: up to capacity() of them for each atom.
template <int n>
class TopologyColumns {
 public:
  /// Adds the columns `name`_partners (int64, n - 1 ids each) and `name`_codes (int32) to a store,
  /// none when there are no tuples. InputError for an atom that is not one of `atoms`, a type that
  /// is not one of `types`, or a tuple with an atom twice.
  TopologyColumns(ParticleStore& store, const std::string& name,
                  const std::vector<BondedTuple<n>>& tuples, Index atoms, Index types);

  bool empty() const { return capacity_ == 0; }
  Index capacity() const { return capacity_; }
  /// Fills the locals' rows by their ids.
  void fill(ParticleStore& store, const std::vector<BondedTuple<n>>& tuples, Index atoms) const;

  /// The locals' rows, for reading.
  struct Rows {
    HostRows<std::int64_t> partners;  ///< the other atoms' ids, in their order, n - 1 each
    HostRows<std::int32_t> codes;     ///< type n + the atom's own place; -1: the end
  };
  Rows rows(ParticleStore& store) const {
    return {HostRows<std::int64_t>(store, partners_), HostRows<std::int32_t>(store, codes_)};
  }

 private:
  Index capacity_ = 0;
  ColumnId partners_, codes_;
};

extern template class TopologyColumns<2>;
extern template class TopologyColumns<3>;
extern template class TopologyColumns<4>;

}  // namespace gsim::md
