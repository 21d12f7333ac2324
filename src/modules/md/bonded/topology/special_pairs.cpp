#include "src/modules/md/bonded/topology/special_pairs.hpp"

#include <algorithm>

#include "kernels/domain/exclusive_scan.hpp"
#include "kernels/md/bonded/exclusion_rows.hpp"

namespace gsim::md {

BondGraph::BondGraph(const std::vector<BondedTuple<2>>& bonds, Index atoms)
    : first_(static_cast<std::size_t>(atoms) + 1, 0), partner_(2 * bonds.size()) {
  for (const auto& bond : bonds)
    for (const Index atom : bond.atoms) ++first_[static_cast<std::size_t>(atom) + 1];
  for (std::size_t i = 0; i + 1 < first_.size(); ++i) first_[i + 1] += first_[i];
  std::vector<Index> next(first_.begin(), first_.end() - 1);
  for (const auto& bond : bonds) {
    const auto [a, b] = bond.atoms;
    partner_[static_cast<std::size_t>(next[static_cast<std::size_t>(a)]++)] = b;
    partner_[static_cast<std::size_t>(next[static_cast<std::size_t>(b)]++)] = a;
  }
}

void BondGraph::find_within(Index atom, int max_bonds, std::vector<Neighbour>& found) const {
  found.assign(1, {atom, 0});
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Neighbour from = found[i];
    if (from.bonds == max_bonds) break;
    const auto a = static_cast<std::size_t>(from.atom);
    for (Index p = first_[a]; p < first_[a + 1]; ++p) {
      const Index to = partner_[static_cast<std::size_t>(p)];
      if (std::none_of(found.begin(), found.end(),
                       [&](const Neighbour& n) { return n.atom == to; }))
        found.push_back({to, from.bonds + 1});
    }
  }
  found.erase(found.begin());
}

bool SpecialColumns::is_special(int bonds) const {
  const bool is_scaled = options_.scale_14 != 1 || options_.coulomb_scale_14 != 1;
  return options_.is_excluded[static_cast<std::size_t>(bonds - 1)] || (bonds == 3 && is_scaled);
}

int SpecialColumns::max_bonds() const {
  for (int bonds = 3; bonds > 0; --bonds)
    if (is_special(bonds)) return bonds;
  return 0;
}

SpecialColumns::SpecialColumns(ParticleStore& store, const std::vector<BondedTuple<2>>& bonds,
                               Index atoms, const SpecialPairs& options)
    : options_(options) {
  if (bonds.empty() || max_bonds() == 0) return;
  const BondGraph graph(bonds, atoms);
  std::vector<BondGraph::Neighbour> found;
  for (Index atom = 0; atom < atoms; ++atom) {
    graph.find_within(atom, max_bonds(), found);
    const auto count = std::count_if(found.begin(), found.end(),
                                     [&](const auto& n) { return is_special(n.bonds); });
    capacity_ = std::max<Index>(capacity_, count);
  }
  if (capacity_ > 0)
    column_ =
        store.add_column("special", ElementType::int64, static_cast<int>(capacity_), Ghosts::none);
}

void SpecialColumns::fill(ParticleStore& store, const std::vector<BondedTuple<2>>& bonds,
                          Index atoms) const {
  if (empty()) return;
  const BondGraph graph(bonds, atoms);
  const HostRows<std::int64_t> ids(store, store.id());
  const auto capacity = static_cast<std::size_t>(capacity_);
  // The codes of a row end with -1.
  std::vector<std::int64_t> codes(static_cast<std::size_t>(store.locals()) * capacity, -1);
  std::vector<BondGraph::Neighbour> found;
  for (Index i = 0; i < store.locals(); ++i) {
    graph.find_within(ids.view()[i], max_bonds(), found);
    std::size_t slot = static_cast<std::size_t>(i) * capacity;
    for (const auto& n : found)
      if (is_special(n.bonds)) codes[slot++] = partner_code(n.atom, n.bonds);
  }
  if (!codes.empty())
    store.executor().copy_from_host(store.data(column_), codes.data(),
                                    codes.size() * sizeof(std::int64_t));
}

void SpecialColumns::list_exclusions(ParticleStore& store, const domain::IdTable& table,
                                     Exclusions& exclusions) const {
  if (empty()) return;
  const Executor& executor = store.executor();
  const Index locals = store.locals();
  exclusions.first.resize_discard(locals + 1);
  ExclusionRowsArgs args{};
  args.column = store.elements<std::int64_t>(column_).data;
  args.capacity = capacity_;
  args.locals = locals;
  args.first = exclusions.first.view().data;
  md_count_exclusions(executor, args);
  domain_exclusive_scan(executor, {exclusions.first.view()});
  std::int32_t size = 0;
  executor.copy_to_host(&size, args.first + locals, sizeof size);
  exclusions.rows.resize_uninitialised(size);
  exclusions.codes.resize_uninitialised(size);
  args.table = table;
  args.rows = exclusions.rows.view().data;
  args.codes = exclusions.codes.view().data;
  md_list_exclusions(executor, args);
}

std::vector<std::int64_t> SpecialColumns::third_neighbours(ParticleStore& store, Index row) const {
  std::vector<std::int64_t> ids;
  if (empty()) return ids;
  const HostRows<std::int64_t> codes(store, column_);
  for (Index s = row * capacity_; s < (row + 1) * capacity_ && codes.view()[s] >= 0; ++s)
    if (bonds_between(codes.view()[s]) == 3) ids.push_back(partner_id(codes.view()[s]));
  return ids;
}

}  // namespace gsim::md
