#include "src/modules/transport/simulation/generations.hpp"

#include <array>
#include <span>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/domain/replicated.hpp"
#include "gsim/random/philox.hpp"

namespace gsim::transport {
namespace {

HistoriesSetup with_next_generation(HistoriesSetup setup) {
  setup.rules.fission = Fission::next;
  return setup;
}

}  // namespace

Generations::Generations(Communicator communicator, Executor executor, HistoriesSetup setup)
    : histories_(std::move(communicator), std::move(executor),
                 with_next_generation(std::move(setup))) {}

void Generations::set_source(std::vector<Site> source) { source_ = std::move(source); }

BatchSums Generations::run(Index generation, double k) {
  const BatchSums sums = histories_.run(generation, source_, k);
  choose_source(generation);
  return sums;
}

// A comb over all sites in their order takes every one of them about equally often, which adds the
// least noise that a choice can add. Site indices rise with ranks, and so do the places of the
// comb: what comes from lower ranks stands first.
void Generations::choose_source(Index generation) {
  const Communicator& communicator = histories_.communicator();
  const std::vector<Site>& sites = histories_.fission_sites();
  const auto counts =
      communicator.allgather(std::span<const Index>(std::array{static_cast<Index>(sites.size())}));
  Index before = 0, total = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(communicator.rank())) before += counts[r];
    total += counts[r];
  }
  if (total == 0)
    throw NumericalError("generation " + std::to_string(generation + 1) +
                         " has left no fission neutron; start more particles, or look whether "
                         "the source is in fissile material");
  const std::uint64_t word =
      philox_block(stream_key({histories_.setup().seed, Purpose::transport_comb}),
                   static_cast<std::uint64_t>(generation), std::uint64_t{0}, std::uint64_t{0})
          .x0;
  const auto offset = static_cast<std::uint32_t>(word);
  const Index teeth = histories_.setup().particles;
  const Index after = before + static_cast<Index>(sites.size());
  // The first place whose site is not before this rank's: sites rise with places.
  Index first = 0, last = teeth;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (comb_site(middle, teeth, total, offset) < before)
      first = middle + 1;
    else
      last = middle;
  }
  const ReplicatedDecomposition owners({0, teeth}, communicator.size());
  std::vector<std::vector<Site>> outgoing(counts.size());
  for (Index j = first; j < teeth; ++j) {
    const Index site = comb_site(j, teeth, total, offset);
    if (site >= after) break;
    outgoing[static_cast<std::size_t>(owners.owner(j))].push_back(
        sites[static_cast<std::size_t>(site - before)]);
  }
  source_.clear();
  for (const auto& part : communicator.exchange(outgoing))
    source_.insert(source_.end(), part.begin(), part.end());
}

Index comb_site(Index j, Index teeth, Index sites, std::uint32_t offset) {
  constexpr int bits = 32;
  const WideInteger place = (static_cast<WideInteger>(j) << bits) + offset;
  return static_cast<Index>((place * sites / teeth) >> bits);
}

}  // namespace gsim::transport
