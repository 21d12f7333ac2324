#pragma once
// A pass over histories: one thread for each on a device; on the host workers run chunks of them.

#include "kernels/transport/tracking/histories.hpp"
#include "kernels/transport/tracking/history.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

#if defined(__CUDACC__)

/// Adds to a 128-bit sum in two words, with the carry of the lower word.
GSIM_HD void add_atomically(WideInteger* to, WideInteger score) {
#if defined(__CUDA_ARCH__)
  if (score == 0) return;
  using Word = unsigned long long;
  const auto low = static_cast<Word>(score);
  const Word before = atomicAdd(reinterpret_cast<unsigned long long*>(to), low);
  const Word carry = before + low < low ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(to) + 1, static_cast<Word>(score >> 64) + carry);
#endif
}
GSIM_HD void count_atomically(std::int64_t* to, std::int64_t count) {
#if defined(__CUDA_ARCH__)
  if (count != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(count));
#endif
}

/// Lists that all threads append to. Their particles are transported in the next pass.
struct DeviceBanks {
  static constexpr bool transports_secondaries = false;
  transport::GrowingList<FissionSite>* sites;
  transport::GrowingList<CrossingRecord>* crossings;
  transport::GrowingList<BankedParticle>* secondaries;
  transport::GrowingList<SuspendedParticle>* departures;
  transport::GrowingList<SuspendedParticle>* suspended;

  GSIM_HD void add_fission_site(const FissionSite& site) { append_atomically(sites, site); }
  GSIM_HD void record_crossing(const CrossingRecord& crossing) {
    append_atomically(crossings, crossing);
  }
  GSIM_HD void push_secondary(const BankedParticle& particle) {
    append_atomically(secondaries, particle);
  }
  GSIM_HD bool pop_secondary(BankedParticle& /*particle*/) { return false; }
  GSIM_HD void send_to_owner(const SuspendedParticle& particle) {
    append_atomically(departures, particle);
  }
  /// The list has the capacity for one particle of each thread.
  GSIM_HD SuspendedParticle* bank_for_next_pass() {
    return suspended->items + next_index(suspended);
  }

 private:
  template <class T>
  static GSIM_HD Index next_index(transport::GrowingList<T>* list) {
#if defined(__CUDA_ARCH__)
    return static_cast<Index>(atomicAdd(reinterpret_cast<unsigned long long*>(&list->count), 1ull));
#else
    return list->count;
#endif
  }
  template <class T>
  static GSIM_HD void append_atomically(transport::GrowingList<T>* list, const T& item) {
    const Index at = next_index(list);
    if (at < list->capacity) list->items[at] = item;
  }
};

GSIM_HD void lower_atomically(std::int64_t* to, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<long long*>(to), static_cast<long long>(value));
#endif
}
GSIM_HD void lower_atomically(std::uint64_t* to, std::uint64_t value) {
#if defined(__CUDA_ARCH__)
  atomicMin(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
#endif
}

/// The particles of a pass on a device.
GSIM_HD PassItems items_of(const HistoriesArgs& args) {
  PassItems items;
  items.resumed = args.previous->suspended.count;
  items.banked = args.previous->secondaries.count;
  items.started = args.previous->started;
  items.starts =
      transport::new_histories_in_pass(items.resumed + items.banked, args.count - items.started);
  return items;
}

/// Prepares DevicePasses::lists[p] and, for p = 0, the lists of all passes.
struct BeginPass {
  transport::BeginPassesArgs args;
  GSIM_HD void operator()(Index p) const {
    transport::DevicePasses& state = *args.state;
    state.lists[p] = p == 0 ? args.before : args.empty[(p - 1) % 2];
    if (p != 0 || args.is_first == 0) return;
    state.scores = HistoryScores{};
    state.fission_sites = args.fission_sites;
    state.crossings = args.crossings;
    state.departures = args.departures;
  }
};

/// Transports the particles of a pass, one at a time per thread. Of lost particles the lowest
/// history number is kept; a replay of that history finds the lowest stream position, and a second
/// replay the particle itself.
struct DeviceHistory {
  HistoriesArgs args;
  GSIM_HD void operator()(Index thread) const {
    if (args.previous->have_overflowed()) {
      if (thread == 0) copy_counts(*args.lists, *args.previous);
      return;
    }
    const PassItems items = items_of(args);
    const Index count = items.count();
    if (thread == 0) args.lists->started = items.started + items.starts;
    // A thread suspends at most one particle.
    if (args.rules.flights_per_pass > 0 && count > args.suspended->capacity) {
      if (thread == 0) args.lists->suspended.count = count;
      return;
    }
    for (Index i = thread; i < count; i += args.threads) transport_item(items, i);
  }

 private:
  static GSIM_HD void copy_counts(transport::PassLists& to, const transport::PassLists& from) {
    to.secondaries.count = from.secondaries.count;
    to.suspended.count = from.suspended.count;
    to.started = from.started;
  }
  GSIM_HD void transport_item(const PassItems& items, Index i) const {
    HistoryScores mine;
    DeviceBanks banks{args.fission_sites, args.crossings, args.secondaries, args.departures,
                      args.suspended};
    History<DeviceBanks> history(args, banks, mine, args.tally_sinks);
    transport_history(history, items, i);
    add_atomically(&args.scores->k_collision, mine.k_collision);
    add_atomically(&args.scores->k_absorption, mine.k_absorption);
    add_atomically(&args.scores->k_track_length, mine.k_track_length);
    add_atomically(&args.scores->leakage, mine.leakage);
    add_atomically(&args.scores->timed_out, mine.timed_out);
    add_atomically(&args.scores->fission_production, mine.fission_production);
    count_atomically(&args.scores->collisions, mine.collisions);
    count_atomically(&args.scores->flights, mine.flights);
    count_atomically(&args.scores->secondaries, mine.secondaries);
    if (mine.lost == 0) return;
    count_atomically(&args.scores->lost, mine.lost);
    count_atomically(&args.scores->too_many_secondaries, mine.too_many_secondaries);
    count_atomically(&args.scores->overlapping, mine.overlapping);
    if (args.replay != transport::Replay::find_particle) {
      lower_atomically(&args.scores->first_lost.history, mine.first_lost.history);
      if (args.replay == transport::Replay::find_stream)
        lower_atomically(&args.scores->first_lost.stream, mine.first_lost.stream);
    } else if (mine.first_lost.stream == args.replayed_stream) {
      args.scores->first_lost = mine.first_lost;
    }
  }
};

#else

/// The lists of a worker; its secondaries are a stack.
struct WorkerBanks {
  static constexpr bool transports_secondaries = true;
  transport::GrowingList<FissionSite>* sites;
  transport::GrowingList<CrossingRecord>* crossings;
  transport::GrowingList<BankedParticle>* secondaries;
  transport::GrowingList<SuspendedParticle>* departures;
  transport::GrowingList<SuspendedParticle>* suspended;

  void add_fission_site(const FissionSite& site) { append(*sites, site); }
  void record_crossing(const CrossingRecord& crossing) { append(*crossings, crossing); }
  void push_secondary(const BankedParticle& particle) { append(*secondaries, particle); }
  bool pop_secondary(BankedParticle& particle) {
    if (secondaries->count == 0) return false;
    particle = secondaries->items[--secondaries->count];
    return true;
  }
  void send_to_owner(const SuspendedParticle& particle) { append(*departures, particle); }
  SuspendedParticle* bank_for_next_pass() { return &append_item(*suspended); }
};

#endif

/// Transports the particles of a pass: arrivals, particles that earlier passes have banked, and new
/// histories.
inline void run_histories(const Executor& executor, const HistoriesArgs& args) {
#if defined(__CUDACC__)
  launch(executor, "histories", args.threads, DeviceHistory{args}, 128);
#else
  const PassItems items{args.resumed.size, args.banked.size, args.count};
  const Index count = items.count();
  const Index size = args.chunk_size;
  executor.pool().for_each((count + size - 1) / size, [&](Index chunk, int worker) {
    WorkerBanks banks{args.fission_sites + chunk, args.crossings + chunk, args.secondaries + worker,
                      args.departures + worker, args.suspended + worker};
    banks.sites->count = 0;
    banks.crossings->count = 0;
    const transport::TallySink* const sink =
        args.tally_sinks != nullptr ? args.tally_sinks + worker : nullptr;
    History<WorkerBanks> history(args, banks, args.scores[worker], sink);
    const Index last = (chunk + 1) * size < count ? (chunk + 1) * size : count;
    const transport::HistoryScores& mine = args.scores[worker];
    for (Index i = chunk * size; i < last; ++i) {
      if (mine.lost > args.rules.max_lost &&
          mine.first_lost.reason == transport::LostParticle::Reason::too_many_flights)
        break;
      transport_history(history, items, i);
    }
  });
#endif
}

}  // namespace transport_kernels
GSIM_TARGET_END
