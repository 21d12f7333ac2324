#include "src/modules/transport/simulation/histories.hpp"

#include <span>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/domain/replicated.hpp"
#include "kernels/transport/exact_score.hpp"
#include "src/modules/transport/simulation/add_scores.hpp"

namespace gsim::transport {
Histories::Histories(Communicator communicator, Executor executor, const HistoriesSetup& setup)
    : communicator_(std::move(communicator)), executor_(std::move(executor)), setup_(setup) {
  if (executor_.is_cuda()) device_ = std::make_unique<DeviceHistories>(executor_);
}

IndexRange Histories::mine() const {
  return partition({0, setup_.particles}, communicator_.size(), communicator_.rank());
}

BatchSums Histories::run(Index batch, std::span<const Site> sites, double k) {
  HistoriesArgs args = arguments(batch, Start::sites);
  GSIM_EXPECT(static_cast<Index>(sites.size()) == args.count);
  args.sites = {sites.data(), args.count};
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
  HistoriesArgs args;
  args.geometry = setup_.geometry;
  args.materials = setup_.materials;
  args.sources = setup_.sources;
  args.rules = setup_.rules;
  args.population = setup_.population;
  args.key = stream_key({setup_.seed, transport_history});
  args.start = start;
  args.count = mine().size();
  args.first_parent = mine().first;
  args.first_history = batch * setup_.particles + mine().first;
  return args;
}

BatchSums Histories::run(HistoriesArgs& args) {
  if (tallies_ != nullptr) {
    args.tallies = tallies_->view();
    args.tally_sinks = tallies_->sinks();
  }
  const auto undo = [this] {
    if (tallies_ != nullptr) tallies_->drop_batch();
  };
  HistoryScores mine;
  communicator_.agree(
      [&] { mine = device_ ? device_->run(args, undo, fission_sites_) : run_on_host(args); });
  return add_up(mine);
}

HistoryScores Histories::run_on_host(HistoriesArgs& args) {
  std::vector<HistoryScores> scores(static_cast<std::size_t>(executor_.threads()));
  const Index chunks = (args.count + args.chunk_size - 1) / args.chunk_size;
  args.fission_sites = chunk_sites_.empty(static_cast<std::size_t>(chunks));
  args.secondaries = secondaries_.empty(scores.size());
  args.scores = scores.data();
  transport_histories(executor_, args);
  fission_sites_.clear();
  for (const GrowingList<Site>& chunk : chunk_sites_.lists())
    fission_sites_.insert(fission_sites_.end(), chunk.items, chunk.items + chunk.count);
  HistoryScores sum;
  for (const HistoryScores& worker : scores) add_scores(sum, worker);
  return sum;
}

BatchSums Histories::add_up(const HistoryScores& mine) const {
  const auto of_ranks = communicator_.allgather(std::span<const HistoryScores>(&mine, 1));
  HistoryScores all;
  for (const HistoryScores& rank : of_ranks) add_scores(all, rank);
  const auto a_history = [&](WideInteger quanta) {
    return ExactSum(quanta).value(score_quantum) / static_cast<double>(setup_.particles);
  };
  BatchSums sums;
  sums.k_collision = a_history(all.k_collision);
  sums.k_absorption = a_history(all.k_absorption);
  sums.k_track_length = a_history(all.k_track_length);
  sums.leakage = a_history(all.leakage);
  sums.timed_out = a_history(all.timed_out);
  sums.bred = a_history(all.bred);
  sums.collisions = all.collisions;
  sums.flights = all.flights;
  sums.secondaries = all.secondaries;
  sums.lost = all.lost;
  sums.first_lost = all.first_lost;
  return sums;
}

}  // namespace gsim::transport
