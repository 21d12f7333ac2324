// Lists of the bonded interactions by rows of atoms (kernels/md/bonded/interaction_rows.hpp).

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/domain/exclusive_scan.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"

namespace gsim::md {
namespace {

// More blocks than threads balance the load. Blocks must not be small, since an interaction between
// atoms of several blocks is computed once for each block.
constexpr Index blocks_per_thread = 4, min_rows = 256;

}  // namespace

void BondedForces::exclude(const ForceContext& context) {
  const View<const std::int64_t> ids = context.particles.ids();
  std::int64_t lowest = 0, highest = atoms_ - 1;
  if (!executor_.is_cuda() && ids.size > 0) {
    const auto [low, high] = std::minmax_element(ids.begin(), ids.end());
    lowest = *low;
    highest = *high;
  }
  rows_.build(ids, lowest, highest);
  special_.list_exclusions(context.particles.store, rows_.table(), exclusions_);
}

void BondedForces::divide_into_blocks(Index locals) {
  Index blocks = 1;
  if (!executor_.is_cuda() && executor_.threads() > 1)
    blocks = std::clamp<Index>(locals / min_rows, 1, blocks_per_thread * executor_.threads());
  const Index rows = std::max<Index>(1, (locals + blocks - 1) / blocks);
  block_first_row_.assign(1, 0);
  for (Index first = rows; first < locals; first += rows)
    block_first_row_.push_back(static_cast<std::int32_t>(first));
  block_first_row_.push_back(static_cast<std::int32_t>(locals));
}

InteractionRows BondedForces::interaction_rows(Particles& particles) {
  // All blocks but the last one have as many rows as the first.
  return {rows_.table(),       particles.ids().data, particles.locals(),
          block_first_row_[1], counts_.view().data,  summary_.view().data};
}

template <int n>
TupleRows BondedForces::tuple_rows(Particles& particles, const TopologyColumns<n>& columns,
                                   ListedTuples& tuples) {
  return {interaction_rows(particles),
          n,
          columns.partners(particles.store),
          columns.codes(particles.store),
          columns.capacity(),
          tuples.list_of.view().data,
          tuples.rows.view().data};
}

ScaledPairRows BondedForces::scaled_pair_rows(Particles& particles) {
  return {interaction_rows(particles),
          exclusions_.first.view().data,
          exclusions_.rows.view().data,
          exclusions_.codes.view().data,
          particles.store.view<std::int32_t>(particles.type).data,
          static_cast<std::int32_t>(parameters_.pairs.types),
          pair_list_};
}

void BondedForces::count_interactions(Particles& particles) {
  const Index locals = particles.locals(), lists = static_cast<Index>(lists_.size());
  const Index most = locals * (bonds_.capacity() + angles_.capacity() + dihedrals_.capacity()) +
                     exclusions_.size();
  if (most > std::numeric_limits<std::int32_t>::max())
    throw Error("a rank has more than 2^31 bonded interactions; use more ranks");
  counts_.resize_discard(lists * locals + 1);
  std::vector<std::uint64_t> summary(static_cast<std::size_t>(lists) + 1, no_particle);
  summary_.resize_uninitialised(lists + 1);
  summary_.assign(summary);

  const auto find = [&]<int n>(const TopologyColumns<n>& columns, ListedTuples& tuples) {
    if (columns.empty()) return;
    tuples.rows.resize_uninitialised(locals * columns.capacity() * (n - 1));
    md_find_tuple_rows(executor_, tuple_rows(particles, columns, tuples));
  };
  find(bonds_, listed_[0]);
  find(angles_, listed_[1]);
  find(dihedrals_, listed_[2]);
  if (pair_list_ >= 0) md_count_scaled_pairs(executor_, scaled_pair_rows(particles));
  domain_exclusive_scan(executor_, {counts_.view()});
  md_list_sizes(executor_, {counts_.view().data, locals, lists, summary_.view().data + 1});
  executor_.copy_to_host(summary.data(), summary_.view().data,
                         summary.size() * sizeof(std::uint64_t));
  missing_ = summary[0];
  list_sizes_.assign(summary.begin() + 1, summary.end());
}

BondedEntries BondedForces::bonded_entries(std::int32_t list) {
  BondedList& to = lists_[static_cast<std::size_t>(list)];
  BondedEntries rows{list, {}, to.entries(to.atoms())};
  for (int k = 0; k < to.atoms(); ++k) rows.row[k] = to.entries(k);
  return rows;
}

template <int n>
void BondedForces::list_tuples(Particles& particles, const TopologyColumns<n>& columns,
                               const std::vector<std::int32_t>& list_of, ListedTuples& tuples) {
  if (columns.empty()) return;
  const auto [first, last] = std::minmax_element(list_of.begin(), list_of.end());
  for (std::int32_t list = *first; list <= *last; ++list)
    if (lists_[static_cast<std::size_t>(list)].size() > 0)
      md_list_tuples(executor_, {tuple_rows(particles, columns, tuples), bonded_entries(list)});
}

std::vector<Index> BondedForces::first_entries(std::size_t list) const {
  std::vector<Index> first(block_first_row_.size(), 0);
  first.back() = list_sizes_[list];
  if (executor_.is_cuda()) return first;  // one block
  const std::int32_t* const counts =
      counts_.view().data + static_cast<Index>(list) * block_first_row_.back();
  for (std::size_t b = 0; b + 1 < first.size(); ++b)
    first[b] = counts[block_first_row_[b]] - counts[0];
  return first;
}

void BondedForces::rebuild(const ForceContext& context) {
  Particles& particles = context.particles;
  divide_into_blocks(particles.locals());
  count_interactions(particles);
  for (std::size_t list = 0; list < lists_.size(); ++list) lists_[list].resize(list_sizes_[list]);
  list_tuples(particles, bonds_, bond_list_, listed_[0]);
  list_tuples(particles, angles_, angle_list_, listed_[1]);
  list_tuples(particles, dihedrals_, dihedral_list_, listed_[2]);
  if (pair_list_ >= 0 && lists_[static_cast<std::size_t>(pair_list_)].size() > 0)
    md_list_scaled_pairs(executor_, {scaled_pair_rows(particles), bonded_entries(pair_list_)});
  for (std::size_t list = 0; list < lists_.size(); ++list)
    lists_[list].set_blocks(block_first_row_, first_entries(list));
  context.communicator.agree([&] {
    if (missing_ != no_particle)
      throw_missing(particles.store, static_cast<std::int64_t>(missing_));
  });
}

}  // namespace gsim::md
