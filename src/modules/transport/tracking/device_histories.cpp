#include "src/modules/transport/tracking/device_histories.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "src/modules/transport/tracking/add_scores.hpp"
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
  array.executor().synchronize();
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

/// Initial capacity for secondaries of a pass, beyond the number of its particles.
constexpr Index spare_secondaries = 1024;

/// The list with the memory of `array` that holds `count` items.
template <class T>
GrowingList<T> list_of(Array<T>& array, Index count) {
  GrowingList<T> list;
  list.items = array.view().data;
  list.capacity = array.size();
  list.count = count;
  return list;
}

}  // namespace

DeviceHistories::DeviceHistories(const Executor& executor)
    : executor_(executor),
      start_sites_(executor, 0),
      sites_(executor, 0),
      crossings_(executor, 0),
      start_particles_(executor, 0),
      secondaries_(executor, 0),
      banked_(executor, 0),
      departures_(executor, 0),
      arrivals_(executor, 0),
      suspended_(executor, 0),
      resumed_(executor, 0),
      site_list_(executor, 1),
      crossing_list_(executor, 1),
      secondary_list_(executor, 1),
      departure_list_(executor, 1),
      suspended_list_(executor, 1),
      scores_(executor, 1) {}

void DeviceHistories::begin_batch(const HistoriesArgs& args) {
  kept_sites_ = kept_crossings_ = 0;
  has_capacity_ = true;
  // Initial capacities for two records per history; lists that overflow are enlarged.
  reserve(sites_, args.rules.fission == Fission::next ? 2 * args.count + 1024 : 1);
  reserve(crossings_, args.recorded.sides.size > 0 ? 2 * args.count + 1024 : 1);
}

void DeviceHistories::upload_starts(HistoriesArgs& args) {
  args.sites = upload(start_sites_, args.sites);
  args.particles = upload(start_particles_, args.particles);
  args.resumed = upload(arrivals_, args.resumed);
  reserve(secondaries_,
          std::min(args.count + args.resumed.size, max_in_flight) + spare_secondaries);
}

HistoryScores DeviceHistories::run(HistoriesArgs args, const std::function<void()>& undo,
                                   const HistoryLists& lists) {
  const HistoriesArgs on_host = args;
  begin_batch(args);
  upload_starts(args);
  HistoryScores sum;
  while (!try_run(args, sum)) undo();
  end_batch(lists);
  std::sort(lists.fission_sites.begin(), lists.fission_sites.end());
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

bool DeviceHistories::end_batch(const HistoryLists& lists) const {
  lists.fission_sites = first_of(sites_, has_capacity_ ? kept_sites_ : 0);
  lists.crossings = first_of(crossings_, has_capacity_ ? kept_crossings_ : 0);
  return has_capacity_;
}

HistoryScores DeviceHistories::pass(HistoriesArgs& args, Counts& counts) {
  // A thread transports one particle, which leaves the domain or is suspended at most once.
  const Index items = args.resumed.size + args.banked.size + args.count;
  reserve(departures_, args.domains.cuts.size > 0 ? items : 0);
  reserve(suspended_, args.rules.flights_per_pass > 0 ? items : 0);
  site_list_.assign(std::array{list_of(sites_, counts.sites)});
  crossing_list_.assign(std::array{list_of(crossings_, counts.crossings)});
  secondary_list_.assign(std::array{list_of(secondaries_, 0)});
  departure_list_.assign(std::array{list_of(departures_, 0)});
  suspended_list_.assign(std::array{list_of(suspended_, 0)});
  const HistoryScores none;
  scores_.assign(std::span<const HistoryScores>(&none, 1));
  args.fission_sites = site_list_.view().data;
  args.crossings = crossing_list_.view().data;
  args.secondaries = secondary_list_.view().data;
  args.departures = departure_list_.view().data;
  args.suspended = suspended_list_.view().data;
  args.scores = scores_.view().data;
  transport_histories(executor_, args);
  counts = {site_list_.to_host().front().count, crossing_list_.to_host().front().count,
            secondary_list_.to_host().front().count, departure_list_.to_host().front().count,
            suspended_list_.to_host().front().count};
  return scores_.to_host().front();
}

bool DeviceHistories::try_run(HistoriesArgs batch, HistoryScores& sum,
                              std::vector<SuspendedParticle>* leaving) {
  sum = {};
  Counts counts;
  counts.sites = kept_sites_;
  counts.crossings = kept_crossings_;
  Index started = 0;
  do {
    const Index starts =
        new_histories_in_pass(batch.resumed.size + batch.banked.size, batch.count - started);
    HistoriesArgs args = part_of(batch, started, starts);
    started += starts;
    add_scores(sum, pass(args, counts));
    const bool has_capacity = counts.sites <= sites_.size() &&
                              counts.crossings <= crossings_.size() &&
                              counts.secondaries <= secondaries_.size();
    if (!has_capacity) {
      reserve(sites_, counts.sites + counts.sites / 2);
      reserve(crossings_, counts.crossings + counts.crossings / 2);
      reserve(secondaries_, counts.secondaries + counts.secondaries / 2);
      return false;
    }
    if (leaving != nullptr) {
      const std::vector<SuspendedParticle> departed = first_of(departures_, counts.departures);
      leaving->insert(leaving->end(), departed.begin(), departed.end());
    }
    std::swap(banked_, secondaries_);
    reserve(secondaries_, banked_.size());
    batch.banked = {banked_.view().data, counts.secondaries};
    std::swap(resumed_, suspended_);
    batch.resumed = {resumed_.view().data, counts.suspended};
  } while (counts.secondaries > 0 || counts.suspended > 0 || started < batch.count);
  kept_sites_ = counts.sites;
  kept_crossings_ = counts.crossings;
  return true;
}

// A device returns only the number of the lowest lost history. A first replay of that history finds
// the stream position of its first lost particle, a second one its position.
LostParticle DeviceHistories::find_lost(HistoriesArgs args, std::int64_t history) {
  args = part_of(args, history - args.first_history, 1);
  args.tally_sinks = nullptr;
  args.domains = {};
  args.recorded = {};
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
  return sum.first_lost;
}

}  // namespace gsim::transport
