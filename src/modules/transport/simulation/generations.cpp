#include "src/modules/transport/simulation/generations.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/domain/replicated.hpp"
#include "gsim/math/log.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/transport/exact_score.hpp"

namespace gsim::transport {
namespace {

void add(HistoryScores& to, const HistoryScores& from) {
  to.k_collision += from.k_collision;
  to.k_absorption += from.k_absorption;
  to.k_track_length += from.k_track_length;
  to.leakage += from.leakage;
  to.collisions += from.collisions;
  to.flights += from.flights;
  const bool is_first = to.lost == 0 || from.first_lost.history < to.first_lost.history;
  if (from.lost != 0 && is_first) to.first_lost = from.first_lost;
  to.lost += from.lost;
}

/// Makes room in a chunk: GenerationArgs::grow, whose owner holds the chunks and their memory.
struct ChunkMemory {
  std::vector<SiteChunk>* chunks;
  std::vector<std::vector<Site>>* sites;
};
void grow(void* owner, Index chunk, Index capacity) {
  const auto& memory = *static_cast<ChunkMemory*>(owner);
  const auto c = static_cast<std::size_t>(chunk);
  auto& sites = (*memory.sites)[c];
  sites.resize(static_cast<std::size_t>(capacity + capacity / 2 + 16));
  (*memory.chunks)[c].sites = sites.data();
  (*memory.chunks)[c].capacity = static_cast<Index>(sites.size());
}

}  // namespace

Generations::Generations(Communicator communicator, Executor executor,
                         const GenerationsSetup& setup)
    : communicator_(std::move(communicator)), executor_(std::move(executor)), setup_(setup) {
  if (executor_.is_cuda())
    throw InputError(
        "particle transport does not run on GPUs yet; say device = \"cpu\" in the configuration");
}

void Generations::set_source(std::vector<Site> source) { source_ = std::move(source); }

GenerationSums Generations::run(Index generation, double k) {
  const IndexRange mine =
      partition({0, setup_.particles}, communicator_.size(), communicator_.rank());
  std::vector<HistoryScores> scores(static_cast<std::size_t>(executor_.threads()));
  communicator_.agree([&] {
    GenerationArgs args;
    args.geometry = setup_.geometry;
    args.materials = setup_.materials;
    args.rules = setup_.rules;
    args.key = stream_key({setup_.seed, transport_history});
    args.source = {source_.data(), static_cast<Index>(source_.size())};
    args.first_history = generation * setup_.particles + mine.first;
    args.first_parent = mine.first;
    args.k = k;
    args.scores = scores.data();
    run_histories(args);
  });
  GenerationSums sums = add_up(scores);
  choose_source(generation);
  sums.sites = communicator_.sum(static_cast<Index>(sites_.size()));
  return sums;
}

void Generations::run_histories(GenerationArgs& args) {
  const auto count =
      static_cast<std::size_t>((args.source.size + args.chunk_size - 1) / args.chunk_size);
  chunks_.resize(count);
  chunk_sites_.resize(count);
  ChunkMemory memory{&chunks_, &chunk_sites_};
  args.chunks = chunks_.data();
  args.grow = grow;
  args.owner = &memory;
  transport_generation(executor_, args);
  sites_.clear();
  for (const SiteChunk& chunk : chunks_)
    sites_.insert(sites_.end(), chunk.sites, chunk.sites + chunk.count);
}

GenerationSums Generations::add_up(const std::vector<HistoryScores>& scores) const {
  HistoryScores mine;
  for (const HistoryScores& worker : scores) add(mine, worker);
  const auto of_ranks = communicator_.allgather(std::span<const HistoryScores>(&mine, 1));
  HistoryScores all;
  for (const HistoryScores& rank : of_ranks) add(all, rank);
  const auto a_neutron = [&](WideInteger quanta) {
    return ExactSum(quanta).value(score_quantum) / static_cast<double>(setup_.particles);
  };
  GenerationSums sums;
  sums.k_collision = a_neutron(all.k_collision);
  sums.k_absorption = a_neutron(all.k_absorption);
  sums.k_track_length = a_neutron(all.k_track_length);
  sums.leakage = a_neutron(all.leakage);
  sums.collisions = all.collisions;
  sums.flights = all.flights;
  sums.lost = all.lost;
  sums.first_lost = all.first_lost;
  return sums;
}

// A comb over all sites in their order takes every one of them about equally often, which adds the
// least noise that a choice can add. Site indices rise with ranks, and so do the places of the
// comb: what comes from lower ranks stands first.
void Generations::choose_source(Index generation) {
  const auto counts = communicator_.allgather(
      std::span<const Index>(std::array{static_cast<Index>(sites_.size())}));
  Index before = 0, total = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(communicator_.rank())) before += counts[r];
    total += counts[r];
  }
  if (total == 0)
    throw NumericalError("generation " + std::to_string(generation + 1) +
                         " has left no fission neutron; start more particles, or look whether "
                         "the source is in fissile material");
  const std::uint64_t word =
      philox_block(stream_key({setup_.seed, transport_comb}),
                   static_cast<std::uint64_t>(generation), std::uint64_t{0}, std::uint64_t{0})
          .x0;
  const auto offset = static_cast<std::uint32_t>(word);
  const Index teeth = setup_.particles, after = before + static_cast<Index>(sites_.size());
  // The first place whose site is not before this rank's: sites rise with places.
  Index first = 0, last = teeth;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (comb_site(middle, teeth, total, offset) < before)
      first = middle + 1;
    else
      last = middle;
  }
  const ReplicatedDecomposition owners({0, teeth}, communicator_.size());
  std::vector<std::vector<Site>> outgoing(counts.size());
  for (Index j = first; j < teeth; ++j) {
    const Index site = comb_site(j, teeth, total, offset);
    if (site >= after) break;
    outgoing[static_cast<std::size_t>(owners.owner(j))].push_back(
        sites_[static_cast<std::size_t>(site - before)]);
  }
  source_.clear();
  for (const auto& part : communicator_.exchange(outgoing))
    source_.insert(source_.end(), part.begin(), part.end());
}

Index comb_site(Index j, Index teeth, Index sites, std::uint32_t offset) {
  constexpr int bits = 32;
  const WideInteger place = (static_cast<WideInteger>(j) << bits) + offset;
  return static_cast<Index>((place * sites / teeth) >> bits);
}

double shannon_entropy(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t n : counts) total += static_cast<double>(n);
  double entropy = 0;
  constexpr double per_ln2 = 1.4426950408889634;
  for (const std::int64_t n : counts) {
    if (n == 0) continue;
    const double share = static_cast<double>(n) / total;
    entropy -= share * gsim::log<Strict>(share) * per_ln2;
  }
  return entropy;
}

}  // namespace gsim::transport
