#pragma once
// The topology in columns that migrate with the atoms: for every atom the interactions that it
// takes part in, by global ids. Each row has room for as many interactions as any atom has.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gsim/domain/particle_store.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// A view of a column in host memory: of the column itself on a host executor, else of a copy.
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
  /// Adds the columns `name`_partners (int64, n - 1 ids for each tuple) and `name`_codes (int32) to
  /// the store, if there are tuples. `atoms` and `types`: numbers of atoms and types. InputError
  /// for an atom or a type out of range, and for a tuple that contains an atom twice.
  TopologyColumns(ParticleStore& store, const std::string& name,
                  const std::vector<BondedTuple<n>>& tuples, Index atoms, Index types);

  bool empty() const { return capacity_ == 0; }
  Index capacity() const { return capacity_; }
  /// Fills the rows of the local atoms, by their ids.
  void fill(ParticleStore& store, const std::vector<BondedTuple<n>>& tuples, Index atoms) const;

  /// The same columns in executor memory.
  const std::int64_t* partners(ParticleStore& store) const {
    return store.elements<std::int64_t>(partners_).data;
  }
  const std::int32_t* codes(ParticleStore& store) const {
    return store.elements<std::int32_t>(codes_).data;
  }
  /// The rows of the local atoms, for reading on the host.
  struct Rows {
    HostRows<std::int64_t> partners;  ///< ids of the n - 1 other atoms of each tuple, in order
    HostRows<std::int32_t> codes;     ///< n type + index of the atom in the tuple; -1: the end
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
