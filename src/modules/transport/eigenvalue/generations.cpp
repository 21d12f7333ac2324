#include "src/modules/transport/eigenvalue/generations.hpp"

#include <span>
#include <utility>

#include "gsim/core/error.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/transport/eigenvalue/fission_bank.hpp"

namespace gsim::transport {
namespace {

HistoriesArgs with_next_generation(HistoriesArgs args) {
  args.rules.fission = Fission::next;
  return args;
}

}  // namespace

Generations::Generations(Communicator communicator, Executor executor, const HistoriesArgs& args,
                         Index particles, std::uint64_t seed)
    : histories_(std::move(communicator), executor, with_next_generation(args), particles),
      seed_(seed),
      source_(executor, 0),
      outgoing_(executor, 0) {}

void Generations::set_source(const std::vector<FissionSite>& source) {
  source_.resize_discard(static_cast<Index>(source.size()));
  source_.assign(source);
}

BatchSums Generations::run(Index generation, double k) {
  const BatchSums sums = histories_.run(generation, source(), k);
  select_source(generation);
  return sums;
}

// A comb over all sites in their order selects each of them about equally often, which adds the
// least noise of all selections. Both the indices of sites and those of teeth increase with the
// rank, so that sites from lower ranks come first.
void Generations::select_source(Index generation) {
  const Communicator& communicator = histories_.communicator();
  Selection selection;
  selection.sites = histories_.fission_sites();
  const Index sites = selection.sites.sites.size;
  const auto counts = communicator.allgather(std::span<const Index>(&sites, 1));
  Index total = 0;
  for (std::size_t r = 0; r < counts.size(); ++r) {
    if (r < static_cast<std::size_t>(communicator.rank())) selection.first_site += counts[r];
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
  selection.comb = {histories_.particles(), total, static_cast<std::uint32_t>(word)};
  const IndexRange teeth{selection.comb.first_tooth(selection.first_site),
                         selection.comb.first_tooth(selection.first_site + sites)};
  histories_.rebalance();
  const IndexRange mine = histories_.mine();
  source_.resize_discard(mine.size());
  const IndexRange local = intersection(teeth, mine);
  if (!local.empty())
    copy_sites(selection, local, source_.view().data + (local.first - mine.first));
  if (communicator.size() > 1) exchange_sites(selection, teeth);
}

void Generations::exchange_sites(const Selection& selection, IndexRange teeth) {
  const Communicator& communicator = histories_.communicator();
  const Executor& executor = histories_.executor();
  const IndexRange mine = histories_.mine();
  const IndexRange below = intersection(teeth, {0, mine.first});
  const IndexRange above = intersection(teeth, {mine.last, histories_.particles()});
  outgoing_.resize_discard(below.size() + above.size());
  copy_sites(selection, below, outgoing_.view().data);
  copy_sites(selection, above, outgoing_.view().data + below.size());
  const std::vector<FissionSite> sites = outgoing_.to_host();
  std::vector<std::vector<FissionSite>> outgoing(static_cast<std::size_t>(communicator.size()));
  auto next = sites.begin();
  for (int r = 0; r < communicator.size(); ++r) {
    if (r == communicator.rank()) continue;
    const Index count = intersection(teeth, histories_.range_of(r)).size();
    outgoing[static_cast<std::size_t>(r)].assign(next, next + count);
    next += count;
  }
  Index filled = 0;
  const auto incoming = communicator.exchange(outgoing);
  for (int r = 0; r < communicator.size(); ++r) {
    const auto& part = incoming[static_cast<std::size_t>(r)];
    if (!part.empty())
      executor.copy_from_host(source_.view().data + filled, part.data(),
                              part.size() * sizeof(FissionSite));
    filled += r == communicator.rank() ? intersection(teeth, mine).size()
                                       : static_cast<Index>(part.size());
  }
}

void Generations::copy_sites(const Selection& selection, IndexRange teeth, FissionSite* to) const {
  SelectSitesArgs args;
  args.from = selection.sites;
  args.first_site = selection.first_site;
  args.comb = selection.comb;
  args.first_tooth = teeth.first;
  args.to = {to, teeth.size()};
  transport_select_sites(histories_.executor(), args);
}

}  // namespace gsim::transport
