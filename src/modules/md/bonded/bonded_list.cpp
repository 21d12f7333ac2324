#include "src/modules/md/bonded/bonded_list.hpp"

#include <algorithm>
#include <utility>

#include "gsim/exec/launch_graph.hpp"
#include "gsim/md/forces/lowest_id.hpp"

namespace gsim::md {
namespace {

constexpr BondedFault no_fault{no_particle};

}  // namespace

BondedList::BondedList(Executor executor, Launcher launcher, FaultTest is_fault, int atoms,
                       std::size_t energy, const std::vector<double>& constants, int order)
    : executor_(std::move(executor)),
      launcher_(launcher),
      is_fault_(is_fault),
      atoms_(atoms),
      energy_(energy),
      order_(order),
      host_constants_(constants),
      constants_(executor_, constants),
      fault_(executor_, std::span<const BondedFault>(&no_fault, 1)),
      saved_fault_(executor_, std::span<const BondedFault>(&no_fault, 1)),
      entries_(executor_, 0) {}

void BondedList::resize(Index size) {
  size_ = size;
  entries_.resize_uninitialised((atoms_ + 1) * stride());
}

void BondedList::set_blocks(const std::vector<std::int32_t>& first_rows,
                            const std::vector<Index>& first_entries) {
  const std::size_t blocks = first_rows.size() - 1;
  blocks_.assign(blocks, {});
  sums_.assign(blocks, {});
  // The padding repeats the last interaction, so that it consists of valid rows.
  if (!executor_.is_cuda() && size_ > 0)
    for (int k = 0; k <= atoms_; ++k)
      std::fill_n(entries(k) + size_, padding, entries(k)[size_ - 1]);
  for (std::size_t b = 0; b < blocks; ++b) {
    BondedBlock& block = blocks_[b];
    block.count = first_entries[b + 1] - first_entries[b];
    block.first_row = first_rows[b];
    block.last_row = first_rows[b + 1];
    block.sums = sums_[b].data();
    for (int k = 0; k < atoms_; ++k) block.row[k] = entries(k) + first_entries[b];
    block.type = entries(atoms_) + first_entries[b];
  }
}

void BondedList::run(BondedJob job) {
  job.order = order_;
  job.constants = constants_.view().data;
  job.blocks = blocks_;
  job.fault = fault_.view().data;
  launcher_(executor_, job);
}

void BondedList::take_sums(ExactSum (&sums)[7]) {
  for (ExactSum& sum : sums) sum = {};
  for (auto& block : sums_) {
    for (std::size_t k = 0; k < 7; ++k) sums[k].add(block[k]);
    block = {};
  }
}

std::uint64_t BondedList::take_fault() {
  const std::uint64_t id =
      executor_.is_cuda() ? fault_.to_host().front().first_id : fault_.view()[0].first_id;
  if (id != no_particle) fault_.assign(std::span<const BondedFault>(&no_fault, 1));
  return id;
}

void BondedList::save_fault() {
  copy_on_executor(executor_, saved_fault_.view().data, fault_.view().data, sizeof(BondedFault));
}

void BondedList::restore_fault() {
  copy_on_executor(executor_, fault_.view().data, saved_fault_.view().data, sizeof(BondedFault));
}

}  // namespace gsim::md
