#include "checks/ordering.hpp"

#include <algorithm>
#include <bit>

namespace ptxemu {

BlockOrdering::BlockOrdering(std::uint64_t block, std::uint64_t threads, Time& now,
                             Releases& releases)
    : block_(block),
      thread_count_(threads),
      warps_((threads + warp_size - 1) / warp_size),
      now_(now),
      global_releases_(releases) {}

BlockOrdering::Thread& BlockOrdering::thread(int warp, int lane) {
  if (threads_.empty()) threads_.resize(warps_ * warp_size);
  return threads_[static_cast<unsigned>(warp * warp_size + lane)];
}

const Clock& BlockOrdering::before(int warp, int lane) const {
  static const Clock nothing;
  return threads_.empty() ? nothing
                          : threads_[static_cast<unsigned>(warp * warp_size + lane)].before;
}

bool BlockOrdering::happens_before(const Access& access, int warp, int lane) const {
  if (access.warp == warp_number(warp) && access.lanes == 1u << lane) return true;
  const std::uint64_t block = access.warp / warps_;
  if (block == block_ && access.time <= barrier_time_) return true;
  const Clock& clock = before(warp, lane);
  if (clock == nullptr) return false;
  if (access.lanes == 0) return clock->covers_any(block, warps_, access.time);
  const bool own_warp = access.warp == warp_number(warp);
  return clock->covers(block, access.warp, access.lanes & (own_warp ? ~(1u << lane) : all_lanes),
                       access.time);
}

std::uint32_t BlockOrdering::lanes_of(int warp) const {
  const std::uint64_t first = static_cast<unsigned>(warp) * std::uint64_t{warp_size};
  const std::uint64_t count = thread_count_ - first;
  return count >= warp_size ? all_lanes : (1u << count) - 1;
}

void BlockOrdering::add_entries(VectorClock& clock, int warp, std::uint32_t lanes,
                                Time time) const {
  if (lanes == lanes_of(warp)) {
    clock.warps.push_back({warp_number(warp), time});
    return;
  }
  for (; lanes != 0; lanes &= lanes - 1)
    clock.threads.push_back(
        {warp_number(warp) * warp_size + static_cast<unsigned>(std::countr_zero(lanes)), time});
}

Clock BlockOrdering::published(int warp, int lane) {
  auto own = std::make_shared<VectorClock>();
  if (barrier_time_ != 0) own->blocks.push_back({block_, barrier_time_});
  own->threads.push_back({warp_number(warp) * warp_size + static_cast<unsigned>(lane), now_});
  return join(thread(warp, lane).before, own, warps_);
}

void BlockOrdering::join_thread(Thread& to, const Thread& from) const {
  to.before = join(to.before, from.before, warps_);
  for (std::size_t n = 0; n < 2; ++n) {
    to.fenced[n] = join(to.fenced[n], from.fenced[n], warps_);
    to.observed[n] = join(to.observed[n], from.observed[n], warps_);
  }
}

void BlockOrdering::fence(int warp, std::uint32_t lanes, bool device_wide) {
  ++now_;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    Thread& own = thread(warp, lane);
    own.before = join(own.before, own.observed[0], warps_);
    own.observed[0] = nullptr;
    if (device_wide) {
      own.before = join(own.before, own.observed[1], warps_);
      own.observed[1] = nullptr;
    }
    own.fenced[0] = published(warp, lane);
    if (device_wide) own.fenced[1] = own.fenced[0];
  }
}

void BlockOrdering::warp_barrier(int warp, std::uint32_t lanes) {
  ++now_;
  auto entries = std::make_shared<VectorClock>();
  add_entries(*entries, warp, lanes, now_);
  Thread joined;
  joined.before = entries;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    join_thread(joined, thread(warp, std::countr_zero(rest)));
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    thread(warp, std::countr_zero(rest)) = joined;
}

void BlockOrdering::arrive(int number, int warp, std::uint32_t lanes, bool waits) {
  Arrival arrival{warp, lanes, waits, ++now_, {}};
  if (!waits && !threads_.empty())
    for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1)
      arrival.state.push_back(thread(warp, std::countr_zero(rest)));
  arrivals_[static_cast<unsigned>(number)].push_back(std::move(arrival));
}

void BlockOrdering::complete(int number, int live_threads) {
  std::vector<Arrival>& arrivals = arrivals_[static_cast<unsigned>(number)];
  ++now_;
  int waiting = 0;
  bool all = true;  // whether the barrier orders all threads of the block
  for (const Arrival& arrival : arrivals) {
    waiting += std::popcount(arrival.lanes);
    all = all && arrival.waits;
  }
  all = all && waiting == live_threads;
  if (all) barrier_time_ = now_;
  if (!all || !threads_.empty()) {
    auto entries = std::make_shared<VectorClock>();
    if (all) {
      entries->blocks.push_back({block_, now_});
    } else {
      for (const Arrival& arrival : arrivals)
        add_entries(*entries, arrival.warp, arrival.lanes, arrival.waits ? now_ : arrival.time);
      const auto by_id = [](const auto& a, const auto& b) { return a.id < b.id; };
      std::sort(entries->warps.begin(), entries->warps.end(), by_id);
      std::sort(entries->threads.begin(), entries->threads.end(), by_id);
    }
    Thread joined;
    joined.before = entries;
    for (const Arrival& arrival : arrivals) {
      for (const Thread& state : arrival.state) join_thread(joined, state);
      if (!arrival.waits) continue;
      for (std::uint32_t rest = arrival.lanes; rest != 0; rest &= rest - 1)
        join_thread(joined, thread(arrival.warp, std::countr_zero(rest)));
    }
    for (const Arrival& arrival : arrivals)
      for (std::uint32_t rest = arrival.waits ? arrival.lanes : 0; rest != 0; rest &= rest - 1)
        thread(arrival.warp, std::countr_zero(rest)) = joined;
  }
  arrivals.clear();
}

void BlockOrdering::synchronise(int warp, int lane, std::uint64_t address, bool in_shared_memory,
                                const CheckedInstruction& instruction) {
  Releases& releases = in_shared_memory ? shared_releases_ : global_releases_;
  const auto found = releases.find(address);
  if (found != releases.end() && instruction.reads) {
    const bool own_block = found->second.block == block_;
    const Clock& seen = own_block ? found->second.in_block : found->second.device_wide;
    if (seen != nullptr && (own_block || instruction.device_wide)) {
      Thread& own = thread(warp, lane);
      Clock& to = instruction.acquire ? own.before : own.observed[own_block ? 0 : 1];
      to = join(to, seen, warps_);
    }
  }
  if (!instruction.writes) return;
  Release release{nullptr, nullptr, block_};
  if (instruction.release) {
    release.in_block = published(warp, lane);
    if (instruction.device_wide) release.device_wide = release.in_block;
  } else if (!threads_.empty()) {
    release.in_block = thread(warp, lane).fenced[0];
    release.device_wide = thread(warp, lane).fenced[1];
  }
  if (found != releases.end() && instruction.reads) {  // an atomic continues the release sequence
    const Release& old = found->second;
    release.in_block =
        join(old.block == block_ ? old.in_block : old.device_wide, release.in_block, warps_);
    release.device_wide = join(old.device_wide, release.device_wide, warps_);
  }
  if (release.in_block != nullptr || release.device_wide != nullptr)
    releases[address] = std::move(release);
  else if (found != releases.end())
    releases.erase(found);
}

}  // namespace ptxemu
