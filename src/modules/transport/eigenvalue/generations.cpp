#include "src/modules/transport/eigenvalue/generations.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/domain/replicated.hpp"
#include "gsim/random/philox.hpp"
#include "src/modules/transport/tracking/in_chunks.hpp"

namespace gsim::transport {
namespace {

HistoriesArgs with_next_generation(HistoriesArgs args) {
  args.rules.fission = Fission::next;
  return args;
}

}  // namespace

Generations::Generations(Communicator communicator, Executor executor, const HistoriesArgs& args,
                         Index particles, std::uint64_t seed)
    : histories_(std::move(communicator), std::move(executor), with_next_generation(args),
                 particles),
      seed_(seed) {}

void Generations::set_source(std::vector<FissionSite> source) { source_ = std::move(source); }

BatchSums Generations::run(Index generation, double k) {
  const BatchSums sums = histories_.run(generation, source_, k);
  select_source(generation);
  return sums;
}

// A comb over all sites in their order selects each of them about equally often, which adds the
// least noise of all selections. Both the indices of sites and those of teeth increase with the
// rank, so that sites from lower ranks come first.
void Generations::select_source(Index generation) {
  const Communicator& communicator = histories_.communicator();
  const auto sites = static_cast<Index>(histories_.fission_sites().size());
  const auto counts = communicator.allgather(std::span<const Index>(&sites, 1));
  Index total = 0;
  first_site_ = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(communicator.rank())) first_site_ += counts[r];
    total += counts[r];
  }
  if (total == 0)
    throw NumericalError("generation " + std::to_string(generation + 1) +
                         " has produced no fission neutron; start more particles, or check "
                         "that the source is in fissile material");
  const std::uint64_t word =
      philox_block(stream_key({seed_, Purpose::transport_comb}),
                   static_cast<std::uint64_t>(generation), std::uint64_t{0}, std::uint64_t{0})
          .x0;
  comb_ = {histories_.particles(), total, static_cast<std::uint32_t>(word)};
  const IndexRange teeth{comb_.first_tooth(first_site_), comb_.first_tooth(first_site_ + sites)};
  const ReplicatedDecomposition owners({0, comb_.teeth}, communicator.size());
  std::vector<std::vector<FissionSite>> outgoing(counts.size());
  for (int r = 0; r < communicator.size(); ++r) {
    if (r == communicator.rank()) continue;
    const IndexRange theirs = intersection(teeth, owners.range(r));
    auto& sent = outgoing[static_cast<std::size_t>(r)];
    sent.resize(static_cast<std::size_t>(theirs.size()));
    copy_sites(theirs, sent.data());
  }
  const IndexRange mine = owners.range(communicator.rank());
  source_.resize(static_cast<std::size_t>(mine.size()));
  const IndexRange local = intersection(teeth, mine);
  if (!local.empty()) copy_sites(local, source_.data() + (local.first - mine.first));
  if (communicator.size() == 1) return;
  auto next = source_.begin();
  const auto incoming = communicator.exchange(outgoing);
  for (int r = 0; r < communicator.size(); ++r) {
    const auto& part = incoming[static_cast<std::size_t>(r)];
    if (r == communicator.rank())
      next += local.size();
    else
      next = std::copy(part.begin(), part.end(), next);
  }
}

// All threads copy, since the copy takes a noticeable part of a generation of short histories.
void Generations::copy_sites(IndexRange teeth, FissionSite* to) const {
  constexpr Index chunk_size = 4096;
  const FissionSite* sites = histories_.fission_sites().data();
  in_chunks(histories_.executor().pool(), teeth.size(), chunk_size, [&](IndexRange part, int) {
    for (Index j = part.first; j < part.last; ++j)
      to[j] = sites[comb_.site(teeth.first + j) - first_site_];
  });
}

Index Comb::site(Index tooth) const {
  constexpr int bits = 32;
  const WideInteger at = (static_cast<WideInteger>(tooth) << bits) + offset;
  return static_cast<Index>((at * sites / teeth) >> bits);
}

// Bisection: the selected site increases with the tooth.
Index Comb::first_tooth(Index from) const {
  Index first = 0, last = teeth;
  while (first < last) {
    const Index middle = first + (last - first) / 2;
    if (site(middle) < from)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

}  // namespace gsim::transport
