#include "exec/block.hpp"

#include <bit>
#include <numeric>

namespace ptxemu {

Block::Block(const Launch& launch, std::uint64_t index, RaceCheck* races)
    : launch_(launch),
      coordinates_{static_cast<std::uint32_t>(index % launch.grid.x),
                   static_cast<std::uint32_t>(index / launch.grid.x % launch.grid.y),
                   static_cast<std::uint32_t>(index / launch.grid.x / launch.grid.y)},
      shared_(std::max<std::size_t>(
          launch.kernel->shared_bytes,
          launch.dynamic_shared == 0 ? 0 : launch.dynamic_shared_offset + launch.dynamic_shared)),
      shared_state_(launch.checks.initialised ? shared_.size() : 0),
      races_(races) {
  if (races != nullptr) ordering_ = std::make_unique<BlockOrdering>(races->block(index));
  const std::uint64_t threads = launch.block.count();
  for (std::uint64_t first = 0; first < threads; first += warp_size) {
    const std::uint64_t count = threads - first;
    const std::uint32_t lanes = count >= warp_size ? all_lanes : (1u << count) - 1;
    warps_.push_back(std::make_unique<Warp>(*this, static_cast<int>(first / warp_size), lanes));
  }
  running_ = warps_.size();
}

std::byte* Block::shared(std::uint64_t offset, std::uint64_t size, bool write) {
  if (size > shared_.size() || offset > shared_.size() - size)
    throw Fault(Fault::Kind::illegal_address, std::string(write ? "write" : "read") + " of " +
                                                  std::to_string(size) + " bytes at byte " +
                                                  std::to_string(offset) +
                                                  " of shared memory; the block has " +
                                                  std::to_string(shared_.size()) + " bytes");
  if (!shared_state_.empty())
    for (std::uint64_t n = offset; n < offset + size; ++n) {
      if (write)
        shared_state_[n] = 1;
      else if (shared_state_[n] == 0)
        throw Fault(Fault::Kind::uninitialised_read,
                    "byte " + std::to_string(n) + " of shared memory has not been written");
    }
  return &shared_[offset];
}

int Block::live_threads() const {
  int threads = 0;
  for (const auto& warp : warps_) threads += std::popcount(warp->live());
  return threads;
}

void Block::complete_barrier(int number) {
  Barrier& barrier = barriers_[static_cast<unsigned>(number)];
  barrier.last_reduction = barrier.reduction;
  barrier.arrived = barrier.expected = barrier.reduction = 0;
  if (ordering_ != nullptr) ordering_->complete(number, live_threads());
  for (const auto& warp : warps_) warp->release_barrier(number);
}

/// Completes barriers that all remaining threads have reached after other threads have exited.
/// Returns whether there was such a barrier.
bool Block::complete_barriers_of_remaining_threads() {
  const int live = live_threads();
  bool any = false;
  for (int n = 0; n < static_cast<int>(barriers_.size()); ++n) {
    const Barrier& barrier = barriers_[static_cast<unsigned>(n)];
    if (barrier.arrived == 0 || barrier.expected != 0 || barrier.arrived < live) continue;
    complete_barrier(n);
    any = true;
  }
  return any;
}

void Block::run(int max_instructions) {
  bool all_wait = true;
  for (const auto& warp : warps_) {
    if (warp->ended()) continue;
    if (!warp->waits()) {
      warp->run(max_instructions);
      if (warp->ended()) --running_;
      all_wait = false;
    }
  }
  if (running_ == 0 || !all_wait) return;
  if (complete_barriers_of_remaining_threads()) return;
  throw Fault(Fault::Kind::deadlock,
              "kernel " + launch_.kernel->function->name + ", block (" +
                  std::to_string(coordinates_[0]) + ',' + std::to_string(coordinates_[1]) + ',' +
                  std::to_string(coordinates_[2]) +
                  "): all remaining threads wait at a barrier of the block or for lanes of their "
                  "warp that never arrive");
}

Counts Block::counts() const {
  Counts sum;
  for (const auto& warp : warps_) sum.add(warp->counts);
  sum.lane_instructions = std::accumulate(std::begin(sum.units), std::end(sum.units), 0ull);
  return sum;
}

}  // namespace ptxemu
