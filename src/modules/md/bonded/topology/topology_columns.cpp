#include "src/modules/md/bonded/topology/topology_columns.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

template <int n>
void check(const BondedTuple<n>& tuple, const std::string& name, Index atoms, Index types) {
  GSIM_VALIDATE(
      tuple.type >= 0 && tuple.type < types,
      fmt::format("a {} has type {}, but there are {} types", name, tuple.type + 1, types),
      "give every type that the topology uses a name");
  for (std::size_t k = 0; k < n; ++k) {
    GSIM_VALIDATE(tuple.atoms[k] >= 0 && tuple.atoms[k] < atoms,
                  fmt::format("a {} binds atom number {}, but there are {} atoms", name,
                              tuple.atoms[k] + 1, atoms),
                  "correct the topology");
    for (std::size_t j = 0; j < k; ++j)
      GSIM_VALIDATE(tuple.atoms[j] != tuple.atoms[k],
                    fmt::format("a {} has atom number {} twice", name, tuple.atoms[k] + 1),
                    "correct the topology");
  }
}

/// One of the tuples of an atom, and the index of the atom in the tuple.
struct Part {
  std::int64_t tuple;
  std::int32_t index;
};

template <class T>
void copy_in(ParticleStore& store, ColumnId column, const std::vector<T>& rows) {
  if (!rows.empty())
    store.executor().copy_from_host(store.data(column), rows.data(), rows.size() * sizeof(T));
}

}  // namespace

template <int n>
TopologyColumns<n>::TopologyColumns(ParticleStore& store, const std::string& name,
                                    const std::vector<BondedTuple<n>>& tuples, Index atoms,
                                    Index types) {
  if (tuples.empty()) return;
  std::vector<std::int32_t> count(static_cast<std::size_t>(atoms), 0);
  for (const auto& tuple : tuples) {
    check(tuple, name, atoms, types);
    for (const Index atom : tuple.atoms) ++count[static_cast<std::size_t>(atom)];
  }
  capacity_ = *std::max_element(count.begin(), count.end());
  const int capacity = static_cast<int>(capacity_);
  partners_ =
      store.add_column(name + "_partners", ElementType::int64, capacity * (n - 1), Ghosts::none);
  codes_ = store.add_column(name + "_codes", ElementType::int32, capacity, Ghosts::none);
}

template <int n>
void TopologyColumns<n>::fill(ParticleStore& store, const std::vector<BondedTuple<n>>& tuples,
                              Index atoms) const {
  if (empty()) return;
  // The tuples of each atom are [first[atom], first[atom + 1]).
  std::vector<Index> first(static_cast<std::size_t>(atoms) + 1, 0);
  for (const auto& tuple : tuples)
    for (const Index atom : tuple.atoms) ++first[static_cast<std::size_t>(atom) + 1];
  for (std::size_t i = 0; i + 1 < first.size(); ++i) first[i + 1] += first[i];
  std::vector<Part> parts(static_cast<std::size_t>(first.back()));
  std::vector<Index> next(first.begin(), first.end() - 1);
  for (std::size_t t = 0; t < tuples.size(); ++t)
    for (std::size_t k = 0; k < n; ++k)
      parts[static_cast<std::size_t>(next[static_cast<std::size_t>(tuples[t].atoms[k])]++)] = {
          static_cast<std::int64_t>(t), static_cast<std::int32_t>(k)};

  const auto locals = static_cast<std::size_t>(store.locals());
  const auto capacity = static_cast<std::size_t>(capacity_);
  std::vector<std::int64_t> partners(locals * capacity * (n - 1), -1);
  std::vector<std::int32_t> codes(locals * capacity, -1);
  const HostRows<std::int64_t> ids(store, store.id());
  for (std::size_t i = 0; i < locals; ++i) {
    const auto atom = static_cast<std::size_t>(ids.view()[static_cast<Index>(i)]);
    std::size_t slot = i * capacity;
    for (Index p = first[atom]; p < first[atom + 1]; ++p, ++slot) {
      const Part part = parts[static_cast<std::size_t>(p)];
      const auto& tuple = tuples[static_cast<std::size_t>(part.tuple)];
      codes[slot] = tuple.type * n + part.index;
      std::size_t to = slot * (n - 1);
      for (std::size_t k = 0; k < n; ++k)
        if (static_cast<std::int32_t>(k) != part.index) partners[to++] = tuple.atoms[k];
    }
  }
  copy_in(store, partners_, partners);
  copy_in(store, codes_, codes);
}

template class TopologyColumns<2>;
template class TopologyColumns<3>;
template class TopologyColumns<4>;

}  // namespace gsim::md
