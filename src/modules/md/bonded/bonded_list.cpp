#include "src/modules/md/bonded/bonded_list.hpp"

#include <algorithm>
#include <utility>

#include "gsim/md/forces/lowest_id.hpp"

namespace gsim::md {
namespace {

// Kernels load whole vector registers: at most this many entries beyond the last one.
constexpr std::size_t padding = 16;

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
      fault_(executor_, std::span<const BondedFault>(&no_fault, 1)) {}

void BondedList::start(Index blocks) {
  rows_.resize(static_cast<std::size_t>(blocks));
  for (Rows& rows : rows_) {
    for (auto& row : rows.row) row.clear();
    rows.type.clear();
    rows.count = 0;
  }
}

void BondedList::finish(const std::vector<std::int32_t>& block_first_row) {
  blocks_.assign(rows_.size(), {});
  sums_.assign(rows_.size(), {});
  for (std::size_t b = 0; b < rows_.size(); ++b) {
    Rows& rows = rows_[b];
    BondedBlock& block = blocks_[b];
    rows.count = rows.type.size();
    block.count = static_cast<Index>(rows.count);
    block.first_row = block_first_row[b];
    block.last_row = block_first_row[b + 1];
    block.sums = sums_[b].data();
    if (rows.count == 0) continue;
    for (int k = 0; k < atoms_; ++k) {
      auto& row = rows.row[static_cast<std::size_t>(k)];
      row.resize(rows.count + padding, row.back());
    }
    rows.type.resize(rows.count + padding, rows.type.back());
    if (executor_.is_cuda()) {
      copy_to_device(rows, block);
    } else {
      for (int k = 0; k < atoms_; ++k) block.row[k] = rows.row[static_cast<std::size_t>(k)].data();
      block.type = rows.type.data();
    }
  }
}

void BondedList::copy_to_device(const Rows& rows, BondedBlock& block) {
  const auto size = static_cast<Index>(rows.type.size());
  while (device_.size() <= static_cast<std::size_t>(atoms_)) device_.emplace_back(executor_, 0);
  for (std::size_t k = 0; k <= static_cast<std::size_t>(atoms_); ++k) {
    const bool is_type = k == static_cast<std::size_t>(atoms_);
    device_[k].resize_discard(size);
    device_[k].assign(is_type ? rows.type : rows.row[k]);
    (is_type ? block.type : block.row[k]) = device_[k].view().data;
  }
}

Index BondedList::size() const {
  Index total = 0;
  for (const BondedBlock& block : blocks_) total += block.count;
  return total;
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

}  // namespace gsim::md
