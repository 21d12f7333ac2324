#pragma once
// A pass over histories on the host, whose workers run chunks of them. (Kernels for devices are in
// the folder device.)

#include "kernels/transport/tracking/events/run_events.hpp"
#include "kernels/transport/tracking/histories.hpp"
#include "kernels/transport/tracking/history.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The lists of a worker; its secondaries are a stack.
struct WorkerBanks {
  static constexpr bool transports_secondaries = true;
  static constexpr bool defers_events = false;
  static constexpr transport::HistoryFeatures features{};
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
  static void count_flight(HistoryScores& scores) { ++scores.flights; }
  static void count_collision(HistoryScores& scores) { ++scores.collisions; }
  static void count_secondary(HistoryScores& scores) { ++scores.secondaries; }
};

template <class Banks>
GSIM_HD void track_by_surfaces(History<Banks>& h) {
  if (has_ended(begin_surface_tracking(h))) return;
  auto& p = h.particle;
  for (const std::int64_t last = last_flight(h); p.flights < last; ++p.flights)
    if (has_ended(next_event_by_surfaces(h))) return;
  end_pass(h);
}
template <class Banks>
GSIM_HD void track_by_majorant(History<Banks>& h) {
  if (has_ended(begin_delta_tracking(h))) return;
  auto& p = h.particle;
  for (const std::int64_t last = last_flight(h); p.flights < last; ++p.flights)
    if (has_ended(next_event_by_majorant(h))) return;
  end_pass(h);
}
/// Transports the particle to its end, or to the end of the pass.
template <class Banks>
GSIM_HD void transport_particle(History<Banks>& h) {
  if (tracks_surfaces(h))
    track_by_surfaces(h);
  else
    track_by_majorant(h);
}

/// Transports item `i` of a pass, and all secondaries that it produces on this thread.
template <class Banks>
GSIM_HD void transport_history(History<Banks>& h, const PassItems& items, Index i) {
  Fate fate = begin_item(h, items, i);
  for (;;) {
    if (fate == Fate::alive) {
      transport_particle(h);
      score_k(h);
    }
    BankedParticle next;
    if (!h.banks.pop_secondary(next)) return;
    fate = restore(h, next);
  }
}

/// Transports the histories of a pass event by event. The sites of a chunk are in no order.
inline void run_by_events(const Executor& executor, const HistoriesArgs& args) {
  const Index chunks = (args.count + args.chunk_size - 1) / args.chunk_size;
  for (Index chunk = 0; chunk < chunks; ++chunk)
    args.fission_sites[chunk].count = args.crossings[chunk].count = 0;
  Index chunks_taken = 0;
  executor.pool().for_each(executor.threads(), [&](Index, int worker) {
    WorkerBanks banks{args.fission_sites, args.crossings, args.secondaries + worker,
                      args.departures + worker, args.suspended + worker};
    const transport::TallySink* const sink =
        args.tally_sinks != nullptr ? args.tally_sinks + worker : nullptr;
    History<WorkerBanks> history(args, banks, args.scores[worker], sink);
    HistorySupply supply(args, chunks_taken);
    run_events(history, supply);
  });
}

/// Transports the particles of a pass one after the other: arrivals, particles that earlier passes
/// have banked, and new histories.
inline void run_by_histories(const Executor& executor, const HistoriesArgs& args) {
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
    for (Index i = chunk * size; i < last; ++i) {
      if (is_aborted(history)) break;
      transport_history(history, items, i);
    }
  });
}

inline void run_histories(const Executor& executor, const HistoriesArgs& args) {
  if (runs_by_events(args))
    run_by_events(executor, args);
  else
    run_by_histories(executor, args);
}

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
