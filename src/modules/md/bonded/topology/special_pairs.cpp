#include "src/modules/md/bonded/topology/special_pairs.hpp"

#include <algorithm>

namespace gsim::md {
namespace {

// An entry of a row: 4 times the id of the partner, plus the number of bonds between the atoms. The
// entries of a row end with -1.
constexpr std::int64_t entry_of(const BondGraph::Neighbour& n) { return n.atom * 4 + n.bonds; }

}  // namespace

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
  std::vector<std::int64_t> entries(static_cast<std::size_t>(store.locals()) * capacity, -1);
  std::vector<BondGraph::Neighbour> found;
  for (Index i = 0; i < store.locals(); ++i) {
    graph.find_within(ids.view()[i], max_bonds(), found);
    std::size_t slot = static_cast<std::size_t>(i) * capacity;
    for (const auto& n : found)
      if (is_special(n.bonds)) entries[slot++] = entry_of(n);
  }
  if (!entries.empty())
    store.executor().copy_from_host(store.data(column_), entries.data(),
                                    entries.size() * sizeof(std::int64_t));
}

void SpecialColumns::find_exclusions(ParticleStore& store, Exclusions& exclusions) const {
  exclusions.first.clear();
  exclusions.partners.clear();
  if (empty()) return;
  const HostRows<std::int64_t> rows(store, column_);
  exclusions.first.reserve(static_cast<std::size_t>(store.locals()) + 1);
  exclusions.first.push_back(0);
  for (Index i = 0; i < store.locals(); ++i) {
    for (Index s = i * capacity_; s < (i + 1) * capacity_ && rows.view()[s] >= 0; ++s) {
      const std::int64_t entry = rows.view()[s];
      const auto bonds = static_cast<std::size_t>(entry & 3);
      const bool is_scaled = !options_.is_excluded[bonds - 1];
      exclusions.partners.push_back({entry >> 2, is_scaled ? options_.scale_14 : 0.0,
                                     is_scaled ? options_.coulomb_scale_14 : 0.0});
    }
    exclusions.first.push_back(static_cast<Index>(exclusions.partners.size()));
  }
}

}  // namespace gsim::md
