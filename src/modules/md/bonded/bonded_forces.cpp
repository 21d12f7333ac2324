#include "src/modules/md/bonded/bonded_forces.hpp"

#include <algorithm>
#include <utility>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

// More blocks than threads balance the load. Blocks must not be small, since an interaction between
// atoms of several blocks is computed once for each block.
constexpr Index blocks_per_thread = 4, min_rows = 256;

}  // namespace

void BondedForces::keep_lowest(Missing& lowest, const Missing& candidate) {
  if (candidate.found && (!lowest.found || std::pair(candidate.atom, candidate.partner) <
                                               std::pair(lowest.atom, lowest.partner)))
    lowest = candidate;
}

void BondedForces::set_quanta(const ForceQuanta& quanta) { quanta_ = quanta; }

void BondedForces::fill(Particles& particles) {
  bonds_.fill(particles.store, topology_.bonds, atoms_);
  angles_.fill(particles.store, topology_.angles, atoms_);
  dihedrals_.fill(particles.store, topology_.dihedrals, atoms_);
  special_.fill(particles.store, topology_.bonds, atoms_);
}

void BondedForces::divide_into_blocks(Index locals) {
  Index blocks = 1;
  if (!executor_.is_cuda() && executor_.threads() > 1)
    blocks = std::clamp<Index>(locals / min_rows, 1, blocks_per_thread * executor_.threads());
  block_first_row_.assign(1, 0);
  for (Index b = 0; b < blocks; ++b)
    block_first_row_.push_back(static_cast<std::int32_t>(partition({0, locals}, blocks, b).last));
}

void BondedForces::rebuild(const ForceContext& context) {
  ParticleStore& store = context.particles.store;
  const HostRows<std::int64_t> ids(store, store.id());
  rows_.build(ids.view());
  divide_into_blocks(store.locals());
  for (BondedList& list : lists_) list.start(static_cast<Index>(block_first_row_.size()) - 1);

  std::vector<Missing> missing(block_first_row_.size());
  list_interactions(store, bonds_, bond_list_, missing);
  list_interactions(store, angles_, angle_list_, missing);
  list_interactions(store, dihedrals_, dihedral_list_, missing);
  if (pair_list_ >= 0) list_scaled_pairs(context.particles, missing);
  for (BondedList& list : lists_) list.finish(block_first_row_);
  context.communicator.agree([&] {
    Missing lowest;
    for (const Missing& m : missing) keep_lowest(lowest, m);
    if (lowest.found) throw_missing(lowest);
  });
}

template <int n>
void BondedForces::list_interactions(ParticleStore& store, const TopologyColumns<n>& columns,
                                     const std::vector<std::int32_t>& list_of,
                                     std::vector<Missing>& missing) {
  if (columns.empty()) return;
  static constexpr const char* kinds[] = {"bond", "angle", "dihedral"};
  const HostRows<std::int64_t> ids(store, store.id());
  const auto columns_rows = columns.rows(store);
  const auto partners = columns_rows.partners.view();
  const auto codes = columns_rows.codes.view();
  const Index capacity = columns.capacity();
  executor_.pool().for_each(static_cast<Index>(block_first_row_.size()) - 1, [&](Index b, int) {
    const auto block = static_cast<std::size_t>(b);
    const std::int32_t first = block_first_row_[block], last = block_first_row_[block + 1];
    for (Index i = first; i < last; ++i)
      for (Index slot = i * capacity; slot < (i + 1) * capacity && codes[slot] >= 0; ++slot) {
        const int index = codes[slot] % n;  // of atom i in the interaction
        BondedRows rows{};
        rows[static_cast<std::size_t>(index)] = static_cast<std::int32_t>(i);
        const std::int64_t* partner = partners.data + slot * (n - 1);
        // The block lists an interaction at the first of its atoms that is in the block.
        bool is_listed_here = true;
        for (int k = 0; k < n && is_listed_here; ++k) {
          if (k == index) continue;
          const std::int32_t row = rows_.find(*partner);
          if (row < 0) keep_lowest(missing[block], {true, kinds[n - 2], ids.view()[i], *partner});
          is_listed_here = row >= 0 && !(k < index && row >= first && row < last);
          rows[static_cast<std::size_t>(k)] = row;
          ++partner;
        }
        if (!is_listed_here) continue;
        const std::int32_t type = codes[slot] / n;
        lists_[static_cast<std::size_t>(list_of[static_cast<std::size_t>(type)])].add(b, rows,
                                                                                      type);
      }
  });
}

void BondedForces::list_scaled_pairs(Particles& particles, std::vector<Missing>& missing) {
  ParticleStore& store = particles.store;
  const HostRows<std::int32_t> types(store, particles.type);
  const HostRows<std::int64_t> ids(store, store.id());
  BondedList& to = lists_[static_cast<std::size_t>(pair_list_)];
  const auto kinds = static_cast<std::int32_t>(parameters_.pairs.types);
  executor_.pool().for_each(static_cast<Index>(block_first_row_.size()) - 1, [&](Index b, int) {
    const auto block = static_cast<std::size_t>(b);
    const std::int32_t first = block_first_row_[block], last = block_first_row_[block + 1];
    for (Index i = first; i < last; ++i) {
      const auto atom = static_cast<std::size_t>(i);
      for (Index p = exclusions_.first[atom]; p < exclusions_.first[atom + 1]; ++p) {
        const ExcludedPartner& partner = exclusions_.partners[static_cast<std::size_t>(p)];
        if (partner.pair == 0 && partner.coulomb == 0) continue;
        const std::int32_t row = rows_.find(partner.id);
        if (row < 0) keep_lowest(missing[block], {true, "1-4 pair", ids.view()[i], partner.id});
        // The atom with the lower id is first, on all ranks that compute the pair.
        const bool is_first = ids.view()[i] < partner.id;
        if (row < 0 || (!is_first && row >= first && row < last)) continue;
        const auto i_row = static_cast<std::int32_t>(i);
        const std::int32_t low = is_first ? i_row : row, high = is_first ? row : i_row;
        to.add(b, {low, high, 0, 0}, types.view()[low] * kinds + types.view()[high]);
      }
    }
  });
}

BondedJob BondedForces::job(const ForceContext& context) const {
  Particles& p = context.particles;
  BondedJob job{};
  job.position = p.positions().data;
  job.id = p.ids().data;
  job.charge = p.has_charges() ? p.store.elements<double>(p.charge).data : nullptr;
  for (std::size_t a = 0; a < 6; ++a) job.box_matrix[a] = box_matrix_[a];
  job.longest2 = max_arm_ * max_arm_;
  job.force_scale = 1 / quanta_.force;
  job.energy_scale = 1 / quanta_.energy;
  job.largest = 0x1p51;
  job.force = p.store.elements<std::int64_t>(p.force).data;
  job.with_sums = context.with_sums;
  return job;
}

void BondedForces::compute(const ForceContext& context, ForceSums& sums) {
  const BondedJob shared = job(context);
  for (BondedList& list : lists_) list.run(shared);
  // On a device faults are read at steps with sums only, to avoid waiting.
  if (!executor_.is_cuda() || context.with_sums) check_faults(context);
  if (!context.with_sums) return;
  if (sums.energy.empty()) sums.energy.resize(names_.size());
  for (BondedList& list : lists_) {
    ExactSum list_sums[7];
    list.take_sums(list_sums);
    for (int copy = 0; copy < 2; ++copy) {  // ForceSums holds twice the energies and virial
      sums.energy[list.energy()].add(list_sums[0]);
      for (int v = 0; v < 6; ++v) sums.virial[v].add(list_sums[v + 1]);
    }
  }
}

Index BondedForces::interactions() const {
  Index total = 0;
  for (const BondedList& list : lists_) total += list.size();
  return total;
}

}  // namespace gsim::md
