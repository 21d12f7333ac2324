#include "src/modules/transport/tracking/histories.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/core/timer.hpp"
#include "kernels/transport/tallies/exact_score.hpp"
#include "src/modules/transport/tracking/add_scores.hpp"
#include "src/modules/transport/tracking/in_chunks.hpp"
#include "src/modules/transport/tracking/migration.hpp"
#include "src/modules/transport/tracking/passes.hpp"

namespace gsim::transport {
namespace {

/// Number of histories that a rank starts between two exchanges of particles.
constexpr Index starts_per_exchange = 16384;
/// Number of batches at the start of a run in which collisions check for overlapping cells.
constexpr Index checked_batches = 3;

// Without domains a history with too many secondaries is ended and counts as lost. With domains the
// particles of a history are on several ranks, and the run ends with an error instead.
void check_secondaries(const HistoryScores& scores) {
  if (scores.too_many_secondaries != 0)
    throw NumericalError(
        "a particle and its ancestors produced more neutrons than max_secondaries: the system "
        "seems to be critical "
        "or supercritical; if it is not, give a larger max_secondaries");
}

/// The order of crossings: by history, by the stream position of the particle, which depends on its
/// lineage only, and by the order along the particle's path.
bool comes_before(const CrossingRecord& a, const CrossingRecord& b) {
  if (a.random.history != b.random.history) return a.random.history < b.random.history;
  if (a.random.position != b.random.position) return a.random.position < b.random.position;
  return a.order < b.order;
}

/// Sorts the sites of some consecutive parents: by parent, which leaves few of them to be sorted.
void sort_sites(std::span<FissionSite> sites) {
  if (std::is_sorted(sites.begin(), sites.end())) return;
  const auto by_parent = [](const FissionSite& a, const FissionSite& b) {
    return a.parent < b.parent;
  };
  const auto [lowest, highest] = std::minmax_element(sites.begin(), sites.end(), by_parent);
  const std::int64_t first = lowest->parent, parents = highest->parent - first + 1;
  if (parents < 4 * static_cast<std::int64_t>(sites.size())) {
    std::vector<std::size_t> place(static_cast<std::size_t>(parents) + 1);
    for (const FissionSite& site : sites)
      ++place[static_cast<std::size_t>(site.parent - first) + 1];
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    const std::vector<FissionSite> unordered(sites.begin(), sites.end());
    for (const FissionSite& site : unordered)
      sites[place[static_cast<std::size_t>(site.parent - first)]++] = site;
    if (std::is_sorted(sites.begin(), sites.end())) return;
  }
  std::sort(sites.begin(), sites.end());
}

/// std::is_sorted on all threads.
bool are_in_order(const std::vector<FissionSite>& sites, ThreadPool& pool) {
  constexpr Index chunk_size = 4096;
  const auto count = static_cast<Index>(sites.size());
  std::atomic<bool> is_sorted = true;
  in_chunks(pool, count, chunk_size, [&](IndexRange part, int) {
    // Each chunk is checked together with the first site of the next one.
    const Index last = std::min(part.last + 1, count);
    if (!std::is_sorted(sites.data() + part.first, sites.data() + last)) is_sorted = false;
  });
  return is_sorted;
}

}  // namespace

Histories::Histories(Communicator communicator, Executor executor, const HistoriesArgs& args,
                     Index particles)
    : communicator_(std::move(communicator)),
      executor_(std::move(executor)),
      common_(args),
      particles_(particles),
      owners_({0, particles}, communicator_.size()) {
  if (executor_.is_cuda()) device_ = std::make_unique<DeviceHistories>(executor_);
}

void Histories::rebalance() { owners_ = shares_.divide(communicator_, {0, particles_}); }

OrderedSites Histories::fission_sites() {
  if (device_) return device_->fission_sites(mine());
  return {{fission_sites_.data(), static_cast<Index>(fission_sites_.size())}, {}};
}

BatchSums Histories::run(Index batch, View<const FissionSite> sites, double k) {
  HistoriesArgs args = arguments(batch, Start::sites);
  GSIM_EXPECT(sites.size == args.count);
  args.sites = sites;
  args.k = k;
  return run(args);
}

BatchSums Histories::run(Index batch) {
  HistoriesArgs args = arguments(batch, Start::sources);
  return run(args);
}

BatchSums Histories::run(Index batch, std::span<const SourceParticle> particles) {
  HistoriesArgs args = arguments(batch, Start::particles);
  GSIM_EXPECT(static_cast<Index>(particles.size()) == args.count);
  args.particles = {particles.data(), args.count};
  return run(args);
}

HistoriesArgs Histories::arguments(Index batch, Start start) const {
  HistoriesArgs args = common_;
  args.rules.checks_overlaps = batch < checked_batches ? 1 : 0;
  args.start = start;
  args.count = mine().size();
  args.first_parent = mine().first;
  args.first_history = batch * particles_ + mine().first;
  return args;
}

BatchSums Histories::run(HistoriesArgs& args) {
  if (tallies_ != nullptr) {
    args.tallies = tallies_->view();
    args.tally_sinks = tallies_->sinks();
  }
  args.recorded = recorded_;
  crossings_.clear();
  if (args.domains.cuts.size > 0) {
    fission_sites_.clear();
    return add_up(run_in_domains(args));
  }
  HistoryScores mine;
  double seconds = 0;
  communicator_.agree([&] {
    const Stopwatch stopwatch;
    mine = device_ ? device_->run(
                         args, [this] { undo_tallies(); }, crossings_)
                   : run_on_host(args, 0);
    seconds = stopwatch.seconds();
  });
  // With domains a rank also transports histories of others, so that its time says nothing of
  // these.
  shares_.measure(communicator_, args.count, seconds);
  // The sites of split particles are not in order.
  if (!are_in_order(fission_sites_, executor_.pool()))
    std::sort(fission_sites_.begin(), fission_sites_.end());
  std::sort(crossings_.begin(), crossings_.end(), comes_before);
  return add_up(mine);
}

void Histories::undo_tallies() {
  if (tallies_ != nullptr) tallies_->drop_batch();
}

HistoryScores Histories::run_in_domains(const HistoriesArgs& args) {
  HistoryScores sum = run_exchanges(args);
  // The batch is run again while a list of any device was too short.
  while (device_ && communicator_.any(!device_->has_capacity())) {
    undo_tallies();
    sum = run_exchanges(args);
  }
  if (device_) device_->copy_records({fission_sites_, crossings_});
  send_records_to_owners(args);
  if (device_) {
    device_->set_fission_sites(fission_sites_);
    find_first_lost(args, sum);
  }
  return sum;
}

// Particles migrate while those of the previous exchange are transported and new histories start. A
// limited number of histories starts at a time, which limits the number of migrating particles. The
// batch ends when no particle migrates or waits on any rank.
HistoryScores Histories::run_exchanges(const HistoriesArgs& batch) {
  HistoryScores sum;
  Migration migration(communicator_);
  std::vector<SuspendedParticle> leaving, arrived;
  Index started = 0;
  if (device_) device_->begin_batch(batch);
  std::exception_ptr error;
  for (;;) {
    const Index waiting = static_cast<Index>(arrived.size()) + batch.count - started;
    const std::int64_t in_flight = migration.post(leaving, waiting, error != nullptr);
    if (in_flight < 0)  // a rank has failed
      communicator_.agree([&] {
        if (error) std::rethrow_exception(error);
      });
    if (in_flight <= 0) break;
    leaving.clear();
    try {
      if (!arrived.empty()) {
        HistoriesArgs args = part_of(batch, started, 0);
        args.resumed = {arrived.data(), static_cast<Index>(arrived.size())};
        add_scores(sum, run_part(args, leaving));
      }
      const Index count = std::min(starts_per_exchange, batch.count - started);
      if (count > 0) add_scores(sum, run_part(part_of(batch, started, count), leaving));
      started += count;
      check_secondaries(sum);
    } catch (...) {
      error = std::current_exception();
    }
    arrived = migration.finish();
  }
  migration.finish();
  return sum;
}

HistoryScores Histories::run_part(HistoriesArgs args, std::vector<SuspendedParticle>& leaving) {
  if (device_) return device_->run_part(args, leaving);
  const HistoryScores scores = run_on_host(args, fission_sites_.size());
  departures_.append_to(leaving, executor_.pool());
  return scores;
}

/// Transports `batch` on host threads, in passes if HistoryRules::flights_per_pass is positive, and
/// appends its sites to the first `kept_sites` of fission_sites_, in the order of histories if
/// there is one pass.
HistoryScores Histories::run_on_host(HistoriesArgs batch, std::size_t kept_sites) {
  std::vector<HistoryScores> scores(static_cast<std::size_t>(executor_.threads()));
  batch.secondaries = secondaries_.cleared(scores.size());
  batch.departures = departures_.cleared(scores.size());
  batch.scores = scores.data();
  const bool has_one_pass = batch.rules.flights_per_pass == 0;
  Index started = 0;
  do {
    const Index remaining = batch.count - started;
    const Index starts =
        has_one_pass ? remaining : new_histories_in_pass(batch.resumed.size, remaining);
    HistoriesArgs pass = part_of(batch, started, starts);
    const Index items = pass.resumed.size + pass.count;
    const auto chunks = static_cast<std::size_t>((items + pass.chunk_size - 1) / pass.chunk_size);
    pass.fission_sites = chunk_sites_.cleared(chunks);
    pass.crossings = chunk_crossings_.cleared(chunks);
    pass.suspended = suspended_.cleared(scores.size());
    transport_histories(executor_, pass);
    chunk_sites_.in_each(executor_.pool(), sort_sites);
    chunk_sites_.put_into(fission_sites_, kept_sites, executor_.pool());
    kept_sites = fission_sites_.size();
    chunk_crossings_.append_to(crossings_, executor_.pool());
    suspended_.put_into(waiting_, 0, executor_.pool());
    batch.resumed = {waiting_.data(), static_cast<Index>(waiting_.size())};
    started += starts;
  } while (batch.resumed.size > 0 || started < batch.count);
  HistoryScores sum;
  for (const HistoryScores& worker : scores) add_scores(sum, worker);
  return sum;
}

/// Sends sites and crossings to the ranks that own their histories.
void Histories::send_records_to_owners(const HistoriesArgs& args) {
  const auto send_to_owners = [&](auto& records, const auto& number_of) {
    using Records = std::remove_reference_t<decltype(records)>;
    std::vector<Records> outgoing(static_cast<std::size_t>(communicator_.size()));
    for (const auto& record : records)
      outgoing[static_cast<std::size_t>(owners_.owner(number_of(record)))].push_back(record);
    records.clear();
    for (const auto& part : communicator_.exchange(outgoing))
      records.insert(records.end(), part.begin(), part.end());
  };
  if (common_.rules.fission == Fission::next) {
    send_to_owners(fission_sites_, [](const FissionSite& site) { return site.parent; });
    if (!device_) std::sort(fission_sites_.begin(), fission_sites_.end());
  }
  if (recorded_.sides.size > 0) {
    const std::int64_t start_of_batch = args.first_history - args.first_parent;
    send_to_owners(crossings_, [&](const CrossingRecord& crossing) {
      return static_cast<std::int64_t>(crossing.random.history) - start_of_batch;
    });
    std::sort(crossings_.begin(), crossings_.end(), comes_before);
  }
}

/// On a device only the number of the first lost history is known: the rank that owns the history
/// runs it again to find the particle.
void Histories::find_first_lost(const HistoriesArgs& args, HistoryScores& scores) {
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t first = communicator_.min(scores.lost != 0 ? scores.first_lost.history : none);
  if (first == none) return;
  const std::int64_t start_of_batch = args.first_history - args.first_parent;
  const int owner = owners_.owner(first - start_of_batch);
  LostParticle found;
  communicator_.agree([&] {
    if (communicator_.rank() == owner) found = device_->find_lost(args, first);
  });
  found = communicator_.broadcast(found, owner);
  if (scores.lost != 0) scores.first_lost = found;
}

BatchSums Histories::add_up(const HistoryScores& mine) const {
  const auto of_ranks = communicator_.allgather(std::span<const HistoryScores>(&mine, 1));
  HistoryScores total;
  for (const HistoryScores& rank : of_ranks) add_scores(total, rank);
  const auto per_history = [&](WideInteger quanta) {
    return ExactSum(quanta).value(score_resolution) / static_cast<double>(particles_);
  };
  BatchSums sums;
  sums.k_collision = per_history(total.k_collision);
  sums.k_absorption = per_history(total.k_absorption);
  sums.k_track_length = per_history(total.k_track_length);
  sums.leakage = per_history(total.leakage);
  sums.timed_out = per_history(total.timed_out);
  sums.fission_production = per_history(total.fission_production);
  sums.collisions = total.collisions;
  sums.flights = total.flights;
  sums.secondaries = total.secondaries;
  sums.lost = total.lost;
  sums.overlapping = total.overlapping;
  sums.first_lost = total.first_lost;
  return sums;
}

}  // namespace gsim::transport
