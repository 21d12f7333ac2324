#include "src/modules/transport/simulation/device_histories.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "src/modules/transport/simulation/add_scores.hpp"

namespace gsim::transport {
namespace {

/// Room for `count` elements, kept if there is enough.
template <class T>
void reserve(Array<T>& array, Index count) {
  if (array.size() < count) array.resize_discard(count);
}

template <class T>
std::vector<T> first_of(const Array<T>& array, Index count) {
  std::vector<T> host(static_cast<std::size_t>(count));
  array.executor().synchronize();
  if (count > 0)
    array.executor().copy_to_host(host.data(), array.view().data,
                                  static_cast<std::size_t>(count) * sizeof(T));
  return host;
}

template <class T>
View<const T> upload(Array<T>& array, View<const T> from) {
  array.resize_discard(from.size);
  array.assign(std::span<const T>(from.data, static_cast<std::size_t>(from.size)));
  return std::as_const(array).view();
}

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
      start_particles_(executor, 0),
      secondaries_(executor, 0),
      continued_(executor, 0),
      site_list_(executor, 1),
      secondary_list_(executor, 1),
      scores_(executor, 1) {}

HistoryScores DeviceHistories::run(HistoriesArgs args, const std::function<void()>& undo,
                                   std::vector<Site>& fission_sites) {
  args.sites = upload(start_sites_, args.sites);
  args.particles = upload(start_particles_, args.particles);
  reserve(sites_, args.rules.fission == Fission::next ? 2 * args.count + 1024 : 1);
  reserve(secondaries_, args.count + 1024);
  HistoryScores sum;
  while (!try_run(args, sum)) undo();
  fission_sites = first_of(sites_, kept_sites_);
  std::sort(fission_sites.begin(), fission_sites.end(), [](const Site& a, const Site& b) {
    return a.parent != b.parent ? a.parent < b.parent : a.birth < b.birth;
  });
  if (sum.lost != 0) sum.first_lost = find_lost(args, sum.first_lost.history);
  return sum;
}

HistoryScores DeviceHistories::pass(HistoriesArgs& args, Counts& counts) {
  site_list_.assign(std::array{list_of(sites_, counts.sites)});
  secondary_list_.assign(std::array{list_of(secondaries_, 0)});
  HistoryScores none;
  none.first_lost.history = std::numeric_limits<std::int64_t>::max();
  scores_.assign(std::span<const HistoryScores>(&none, 1));
  args.fission_sites = site_list_.view().data;
  args.secondaries = secondary_list_.view().data;
  args.scores = scores_.view().data;
  transport_histories(executor_, args);
  counts = {site_list_.to_host().front().count, secondary_list_.to_host().front().count};
  return scores_.to_host().front();
}

/// False: a list was too short, and now has room.
bool DeviceHistories::try_run(HistoriesArgs& args, HistoryScores& sum) {
  sum = {};
  Counts counts;
  args.continued = {};
  do {
    add_scores(sum, pass(args, counts));
    const bool has_room =
        counts.sites <= sites_.size() && counts.secondaries <= secondaries_.size();
    if (!has_room) {
      reserve(sites_, counts.sites + counts.sites / 2);
      reserve(secondaries_, counts.secondaries + counts.secondaries / 2);
      return false;
    }
    std::swap(continued_, secondaries_);
    reserve(secondaries_, continued_.size());
    args.continued = {continued_.view().data, counts.secondaries};
  } while (counts.secondaries > 0);
  kept_sites_ = counts.sites;
  args.continued = {};
  return true;
}

// On the device the lowest lost history is known by number only: it is run once more, alone, and
// the thread that loses it says where. Tallies are not told.
LostParticle DeviceHistories::find_lost(HistoriesArgs args, std::int64_t history) {
  const Index i = history - args.first_history;
  args.first_history = history;
  args.first_parent += i;
  args.count = 1;
  args.tally_sinks = nullptr;
  args.sites = args.sites.size > 0 ? View<const Site>{args.sites.data + i, 1} : args.sites;
  if (args.particles.size > 0) args.particles = {args.particles.data + i, 1};
  args.is_replay = 1;
  HistoryScores sum;
  while (!try_run(args, sum)) {
  }
  return sum.first_lost;
}

}  // namespace gsim::transport
