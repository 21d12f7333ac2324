#pragma once
// A pass over histories: a thread each on a device, chunks of them in workers' turns on the host.

#include "kernels/transport/tracking/histories.hpp"
#include "kernels/transport/tracking/history.hpp"

GSIM_TARGET_BEGIN
namespace transport_kernels {

#if defined(__CUDACC__)

/// Adds to 128 bits in two words: the lower one carries into the upper one.
GSIM_HD void add_atomically(WideInteger* to, WideInteger quanta) {
#if defined(__CUDA_ARCH__)
  if (quanta == 0) return;
  using Word = unsigned long long;
  const auto low = static_cast<Word>(quanta);
  const Word before = atomicAdd(reinterpret_cast<unsigned long long*>(to), low);
  const Word carry = before + low < low ? 1 : 0;
  atomicAdd(reinterpret_cast<unsigned long long*>(to) + 1, static_cast<Word>(quanta >> 64) + carry);
#endif
}
GSIM_HD void count_atomically(std::int64_t* to, std::int64_t count) {
#if defined(__CUDA_ARCH__)
  if (count != 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(count));
#endif
}

/// Lists that all threads append to. What waits in them goes on in the next pass.
struct DeviceBanks {
  static constexpr bool sees_whole_histories = false;
  transport::GrowingList<Site>* sites;
  transport::GrowingList<CrossingRecord>* crossings;
  transport::GrowingList<ParticleRecord>* secondaries;
  transport::GrowingList<Migrant>* migrants;
  transport::GrowingList<Migrant>* survivors;

  GSIM_HD void add(const Site& site) { append_atomically(sites, site); }
  GSIM_HD void note(const CrossingRecord& crossing) { append_atomically(crossings, crossing); }
  GSIM_HD void put(const ParticleRecord& particle) { append_atomically(secondaries, particle); }
  GSIM_HD bool take(ParticleRecord& /*particle*/) { return false; }
  GSIM_HD void leave(const Migrant& particle) { append_atomically(migrants, particle); }
  /// There is room for one of each thread.
  GSIM_HD Migrant* survivor() { return survivors->items + next_in(survivors); }

 private:
  template <class T>
  static GSIM_HD Index next_in(transport::GrowingList<T>* list) {
#if defined(__CUDA_ARCH__)
    return static_cast<Index>(atomicAdd(reinterpret_cast<unsigned long long*>(&list->count), 1ull));
#else
    return list->count;
#endif
  }
  template <class T>
  static GSIM_HD void append_atomically(transport::GrowingList<T>* list, const T& item) {
    const Index at = next_in(list);
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

/// A history a thread. Of lost particles the number of the lowest history is kept; in a replay of
/// that one the lowest stream; and in another one that particle.
struct DeviceHistory {
  HistoriesArgs args;
  GSIM_HD void operator()(Index i) const {
    HistoryScores mine;
    DeviceBanks banks{args.fission_sites, args.crossings, args.secondaries, args.migrants,
                      args.survivors};
    History<DeviceBanks>(args, banks, mine, args.tally_sinks).run(i);
    add_atomically(&args.scores->k_collision, mine.k_collision);
    add_atomically(&args.scores->k_absorption, mine.k_absorption);
    add_atomically(&args.scores->k_track_length, mine.k_track_length);
    add_atomically(&args.scores->leakage, mine.leakage);
    add_atomically(&args.scores->timed_out, mine.timed_out);
    add_atomically(&args.scores->bred, mine.bred);
    count_atomically(&args.scores->collisions, mine.collisions);
    count_atomically(&args.scores->flights, mine.flights);
    count_atomically(&args.scores->secondaries, mine.secondaries);
    if (mine.lost == 0) return;
    count_atomically(&args.scores->lost, mine.lost);
    count_atomically(&args.scores->multiplying, mine.multiplying);
    count_atomically(&args.scores->overlapping, mine.overlapping);
    if (args.replay != transport::Replay::finds_place) {
      lower_atomically(&args.scores->first_lost.history, mine.first_lost.history);
      if (args.replay == transport::Replay::finds_stream)
        lower_atomically(&args.scores->first_lost.stream, mine.first_lost.stream);
    } else if (mine.first_lost.stream == args.replayed_stream) {
      args.scores->first_lost = mine.first_lost;
    }
  }
};

#else

/// The lists of a worker: particles that wait are taken last in, first out.
struct WorkerBanks {
  static constexpr bool sees_whole_histories = true;
  transport::GrowingList<Site>* sites;
  transport::GrowingList<CrossingRecord>* crossings;
  transport::GrowingList<ParticleRecord>* secondaries;
  transport::GrowingList<Migrant>* migrants;
  transport::GrowingList<Migrant>* survivors;

  void add(const Site& site) { append(*sites, site); }
  void note(const CrossingRecord& crossing) { append(*crossings, crossing); }
  void put(const ParticleRecord& particle) { append(*secondaries, particle); }
  bool take(ParticleRecord& particle) {
    if (secondaries->count == 0) return false;
    particle = secondaries->items[--secondaries->count];
    return true;
  }
  void leave(const Migrant& particle) { append(*migrants, particle); }
  Migrant* survivor() { return &next_in(*survivors); }
};

#endif

/// Runs all that `args` name: arrivals, what earlier passes left, and starts.
inline void run_histories(const Executor& executor, const HistoriesArgs& args) {
  const Index count = args.arrivals.size + args.continued.size + args.count;
#if defined(__CUDACC__)
  launch(executor, "histories", count, DeviceHistory{args}, 128);
#else
  const Index size = args.chunk_size;
  executor.pool().for_each((count + size - 1) / size, [&](Index chunk, int worker) {
    WorkerBanks banks{args.fission_sites + chunk, args.crossings + chunk, args.secondaries + worker,
                      args.migrants + worker, args.survivors + worker};
    banks.sites->count = 0;
    banks.crossings->count = 0;
    const transport::TallySink* const sink =
        args.tally_sinks != nullptr ? args.tally_sinks + worker : nullptr;
    History<WorkerBanks> history(args, banks, args.scores[worker], sink);
    const Index last = (chunk + 1) * size < count ? (chunk + 1) * size : count;
    const transport::HistoryScores& mine = args.scores[worker];
    for (Index i = chunk * size; i < last; ++i) {
      if (mine.lost > args.rules.most_lost &&
          mine.first_lost.reason == transport::LostParticle::Reason::endless)
        break;
      history.run(i);
    }
  });
#endif
}

}  // namespace transport_kernels
GSIM_TARGET_END
