#include "src/modules/md/simulation/domain.hpp"

#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"

namespace gsim::md {

void describe_balance(Section& s, BalanceConfig& config) {
  s.optional("enabled", config.enabled,
             {.doc = "load balancing: move the borders between ranks so that their work is equal"});
  s.optional(
      "tolerance", config.tolerance,
      {.doc = "largest relative excess of the time of the slowest rank over the mean; 0.05 is 5 %",
       .minimum = 0});
  s.optional("speeds", config.speeds,
             {.doc = "relative speeds of the ranks, for example of unequal GPUs; one for each rank "
                     "(empty: measured during the run)",
              .minimum = 0,
              .exclusive_minimum = true});
  config.speeds_at = s.location("speeds");
}

void check_speeds(const BalanceConfig& config, int ranks) {
  const auto speeds = static_cast<int>(config.speeds.size());
  if (speeds != 0 && speeds != ranks)
    throw ConfigError(
        config.speeds_at,
        "balance.speeds has " + count_of(speeds, "number") + " for " + count_of(ranks, "rank"),
        "give one for each rank, or none");
}

Domain::Domain(const Communicator& communicator, Particles& particles, const Box& box, double width,
               BufferPath path, const BalanceConfig& balance)
    : communicator_(communicator),
      particles_(particles),
      width_(width),
      path_(path),
      bricks_(box, communicator.size()),
      migrator_(communicator, particles.store.executor(), path),
      plan_(communicator),
      halo_(plan_, particles.store, path),
      balance_(balance) {
  check_speeds(balance_, communicator_.size());
}

void Domain::rebuild(const Box& box) {
  migrator_.migrate(particles_.store, bricks_);
  plan_halo(box);
}

void Domain::sort(View<const std::int32_t> order, const Box& box) {
  particles_.store.permute(order);
  plan_halo(box);
}

void Domain::plan_halo(const Box& box) {
  plan_.build(particles_.store, box, bricks_, width_, path_);
}

void Domain::pack_halo() { halo_.pack(std::array{particles_.store.position()}); }
void Domain::send_halo() { halo_.send(); }
void Domain::finish_halo() { halo_.finish(); }

std::vector<FixedPosition> Domain::host_positions() const {
  const ParticleStore& store = particles_.store;
  std::vector<FixedPosition> positions(static_cast<std::size_t>(store.locals()));
  if (!positions.empty())
    store.executor().copy_to_host(positions.data(), store.data(store.position()),
                                  positions.size() * sizeof(FixedPosition));
  return positions;
}

// Borders are chosen from the work of single atoms, but the work of a rank is larger than the sum
// over its atoms, since pairs across borders are computed on both sides. The ratio of the sum to
// the work of the rank is known for the old borders; it is used if the new borders will be close
// to the old ones.
Borders Domain::balance(const Box& box, std::int64_t work,
                        const std::function<std::span<const std::int64_t>()>& shares_of_atoms) {
  const auto own_work = static_cast<double>(work);
  const double measured = speed_.speed(communicator_, own_work);
  const double speed = balance_.speeds.empty()
                           ? measured
                           : balance_.speeds[static_cast<std::size_t>(communicator_.rank())];
  const double max_over_mean = imbalance(communicator_, own_work / speed);
  if (max_over_mean <= 1 + balance_.tolerance) return Borders::unchanged;
  const std::span<const std::int64_t> shares = shares_of_atoms();
  constexpr double small_change = 1.25;
  const auto sum_of_shares =
      static_cast<double>(std::accumulate(shares.begin(), shares.end(), Index{0}));
  const double share_ratio =
      max_over_mean < small_change && sum_of_shares > 0 ? sum_of_shares / own_work : 1;
  Decomposition bricks =
      balanced_decomposition(communicator_, box, host_positions(), shares, speed * share_ratio);
  if (bricks == bricks_)
    return Borders::unchanged;  // for example in a crystal, where borders cannot divide a plane of
                                // atoms
  bricks_ = std::move(bricks);
  return Borders::moved;
}

}  // namespace gsim::md
