#include "src/modules/transport/tracking/device_histories.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "src/modules/transport/tracking/passes.hpp"

namespace gsim::transport {
namespace {

/// Enlarges the array to `count` elements, if it is smaller; its contents are lost then.
template <class T>
void reserve(Array<T>& array, Index count) {
  if (array.size() < count) array.resize_discard(count);
}

/// Copies the first `count` elements of a device array to the host.
template <class T>
std::vector<T> first_of(const Array<T>& array, Index count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  if (count > 0)
    array.executor().copy_to_host(host.data(), array.view().data,
                                  static_cast<std::size_t>(count) * sizeof(T));
  return host;
}

/// Copies a view of host memory to `array`, and returns the view of the copy.
template <class T>
View<const T> upload(Array<T>& array, View<const T> from) {
  array.resize_discard(from.size);
  array.assign(std::span<const T>(from.data, static_cast<std::size_t>(from.size)));
  return std::as_const(array).view();
}

/// Initial capacity for particles that are produced in a pass, beyond the number of its particles.
constexpr Index spare_particles = 1024;

/// The list with the memory of `array` that holds `count` items.
template <class T>
GrowingList<T> list_of(Array<T>& array, Index count) {
  GrowingList<T> list;
  list.items = array.view().data;
  list.capacity = array.size();
  list.count = count;
  return list;
}

/// Enlarges an array that was too short for `list`; false: it was.
template <class T>
bool enlarge(Array<T>& array, const GrowingList<T>& list) {
  if (list.count <= list.capacity) return true;
  reserve(array, list.count + list.count / 2);
  return false;
}

}  // namespace

DeviceHistories::DeviceHistories(const Executor& executor)
    : executor_(executor),
      sites_(executor, 0),
      crossings_(executor, 0),
      start_particles_(executor, 0),
      departures_(executor, 0),
      arrivals_(executor, 0),
      secondaries_{{executor, 0}, {executor, 0}},
      suspended_{{executor, 0}, {executor, 0}},
      state_(executor, 1),
      state_on_host_(executor, sizeof(DevicePasses)),
      order_(executor) {}

void DeviceHistories::begin_batch(const HistoriesArgs& args) {
  kept_sites_ = kept_crossings_ = 0;
  has_capacity_ = true;
  // Initial capacities for two records per history; lists that overflow are enlarged.
  reserve(sites_, args.rules.fission == Fission::next ? 2 * args.count + 1024 : 1);
  reserve(crossings_, args.recorded.sides.size > 0 ? 2 * args.count + 1024 : 1);
}

void DeviceHistories::upload_starts(HistoriesArgs& args) {
  args.particles = upload(start_particles_, args.particles);
  args.resumed = upload(arrivals_, args.resumed);
  const Index particles = args.resumed.size + args.count;
  const Index in_pass = std::min(particles, max_in_flight) + spare_particles;
  for (auto& secondaries : secondaries_) reserve(secondaries, in_pass);
  if (args.rules.flights_per_pass > 0)
    for (auto& suspended : suspended_) reserve(suspended, std::max(in_pass, args.resumed.size));
  if (args.domains.cuts.size > 0) reserve(departures_, particles + spare_particles);
}

HistoryScores DeviceHistories::run(HistoriesArgs args, const std::function<void()>& undo,
                                   std::vector<CrossingRecord>& crossings) {
  const HistoriesArgs on_host = args;
  begin_batch(args);
  upload_starts(args);
  HistoryScores sum;
  while (!try_run(args, sum)) undo();
  crossings = first_of(crossings_, kept_crossings_);
  if (sum.lost != 0) sum.first_lost = find_lost(on_host, sum.first_lost.history);
  return sum;
}

HistoryScores DeviceHistories::run_part(HistoriesArgs args,
                                        std::vector<SuspendedParticle>& leaving) {
  HistoryScores sum;
  if (!has_capacity_) return sum;  // the batch will be run again
  if (args.resumed.size > 0) {
    args.sites = {};
    args.particles = {};
    args.count = 0;
  }
  upload_starts(args);
  has_capacity_ = try_run(args, sum, &leaving);
  return sum;
}

void DeviceHistories::copy_records(const HistoryLists& lists) const {
  lists.fission_sites = first_of(sites_, kept_sites_);
  lists.crossings = first_of(crossings_, kept_crossings_);
}

void DeviceHistories::set_fission_sites(const std::vector<FissionSite>& sites) {
  kept_sites_ = static_cast<Index>(sites.size());
  reserve(sites_, kept_sites_);
  executor_.copy_from_host(sites_.view().data, sites.data(), sites.size() * sizeof(FissionSite));
}

OrderedSites DeviceHistories::fission_sites(IndexRange parents) {
  return order_.order({sites_.view().data, kept_sites_}, parents);
}

// The first pass resumes arrivals. Suspended particles and secondaries of pass p are written to one
// of two arrays and read by pass p + 1, which writes to the other one.
const DevicePasses& DeviceHistories::run_passes(const HistoriesArgs& batch,
                                                const Progress& progress, Index count) {
  DevicePasses* const state = state_.view().data;
  const auto secondaries = [&](Index pass) -> auto& {
    return secondaries_[(progress.last_buffer + 1 + pass) % 2];
  };
  const auto suspended = [&](Index pass) -> auto& {
    return suspended_[(progress.last_buffer + 1 + pass) % 2];
  };
  BeginPassesArgs begin;
  begin.state = state;
  begin.passes = count;
  begin.is_first = progress.is_first ? 1 : 0;
  begin.fission_sites = list_of(sites_, kept_sites_);
  begin.crossings = list_of(crossings_, kept_crossings_);
  begin.departures = list_of(departures_, 0);
  begin.before.secondaries.count = begin.before.secondaries.capacity = progress.banked;
  begin.before.suspended.count = begin.before.suspended.capacity = progress.resumed;
  begin.before.started = progress.started;
  for (const Index pass : {0, 1}) {
    begin.empty[pass].secondaries = list_of(secondaries(pass), 0);
    begin.empty[pass].suspended = list_of(suspended(pass), 0);
  }
  transport_begin_passes(executor_, begin);
  HistoriesArgs args = batch;
  args.scores = &state->scores;
  args.fission_sites = &state->fission_sites;
  args.crossings = &state->crossings;
  args.departures = &state->departures;
  args.threads = progress.items(batch.count);
  for (Index pass = 0; pass < count; ++pass) {
    args.previous = state->lists + pass;
    args.lists = state->lists + pass + 1;
    args.secondaries = &args.lists->secondaries;
    args.suspended = &args.lists->suspended;
    if (pass > 0 || !progress.is_first) args.resumed = std::as_const(suspended(pass - 1)).view();
    args.banked = std::as_const(secondaries(pass - 1)).view();
    transport_histories(executor_, args);
  }
  auto* const on_host = reinterpret_cast<DevicePasses*>(state_on_host_.bytes().data());
  executor_.copy_to_host(on_host, state, sizeof(DevicePasses));
  return *on_host;
}

bool DeviceHistories::enlarge_lists(const DevicePasses& passes, Index count) {
  bool is_long_enough = enlarge(sites_, passes.fission_sites);
  is_long_enough &= enlarge(crossings_, passes.crossings);
  is_long_enough &= enlarge(departures_, passes.departures);
  for (Index pass = 0; pass < count; ++pass)
    for (const int buffer : {0, 1}) {
      is_long_enough &= enlarge(secondaries_[buffer], passes.lists[pass + 1].secondaries);
      is_long_enough &= enlarge(suspended_[buffer], passes.lists[pass + 1].suspended);
    }
  return is_long_enough;
}

bool DeviceHistories::try_run(const HistoriesArgs& batch, HistoryScores& sum,
                              std::vector<SuspendedParticle>* leaving) {
  Progress progress;
  progress.resumed = batch.resumed.size;
  Index count = expected_passes_;
  const DevicePasses* passes = nullptr;
  while (progress.items(batch.count) > 0 || passes == nullptr) {
    count = std::min(count, DevicePasses::max_passes);
    passes = &run_passes(batch, progress, count);
    if (!enlarge_lists(*passes, count)) return false;
    for (Index pass = 0; pass < count && progress.items(batch.count) > 0; ++pass) {
      progress.resumed = passes->lists[pass + 1].suspended.count;
      progress.banked = passes->lists[pass + 1].secondaries.count;
      progress.started = passes->lists[pass + 1].started;
      ++progress.passes;
    }
    progress.last_buffer = static_cast<int>((progress.last_buffer + count) % 2);
    progress.is_first = false;
    count *= 2;
  }
  expected_passes_ = progress.passes + 1;
  kept_sites_ = passes->fission_sites.count;
  kept_crossings_ = passes->crossings.count;
  sum = passes->scores;
  if (leaving != nullptr) {
    const std::vector<SuspendedParticle> departed = first_of(departures_, passes->departures.count);
    leaving->insert(leaving->end(), departed.begin(), departed.end());
  }
  return true;
}

// A device returns only the number of the lowest lost history. A first replay of that history finds
// the stream position of its first lost particle, a second one its position.
LostParticle DeviceHistories::find_lost(HistoriesArgs args, std::int64_t history) {
  args = part_of(args, history - args.first_history, 1);
  args.tally_sinks = nullptr;
  args.domains = {};
  args.recorded = {};
  const Index kept_sites = kept_sites_, kept_crossings = kept_crossings_;
  Array<FissionSite> sites(executor_, 0);
  std::swap(sites, sites_);
  HistoryScores sum;
  for (const Replay replay : {Replay::find_stream, Replay::find_particle}) {
    args.replay = replay;
    args.replayed_stream = sum.first_lost.stream;
    HistoriesArgs history_args = args;
    begin_batch(history_args);
    upload_starts(history_args);
    while (!try_run(history_args, sum)) {
    }
  }
  std::swap(sites, sites_);
  kept_sites_ = kept_sites;
  kept_crossings_ = kept_crossings;
  return sum.first_lost;
}

}  // namespace gsim::transport
