#include "src/modules/md/simulation/domain.hpp"

#include <array>
#include <string>
#include <vector>

#include "gsim/core/error.hpp"

namespace gsim::md {

void describe_balance(Section& s, BalanceConfig& config) {
  s.optional("enabled", config.enabled,
             {.doc = "move the borders between ranks where their work differs"});
  s.optional("tolerance", config.tolerance,
             {.doc = "how much longer than the mean the slowest rank may take: 0.05 is 5 %",
              .minimum = 0});
  s.optional("speeds", config.speeds,
             {.doc = "relative speeds of the ranks, as of unequal GPUs; one for each rank (empty: "
                     "measured while the run goes on)",
              .minimum = 0,
              .exclusive_minimum = true});
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
      balance_(balance),
      balancer_(balance.tolerance) {
  const auto given = static_cast<int>(balance_.speeds.size());
  GSIM_VALIDATE(given == 0 || given == communicator_.size(),
                "balance.speeds has " + std::to_string(given) + " entries for " +
                    std::to_string(communicator_.size()) + " ranks",
                "give one for each rank, or none");
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

void Domain::post_halo() { halo_.post(std::array{particles_.store.position()}); }
void Domain::finish_halo() { halo_.finish(); }

std::vector<FixedPosition> Domain::host_positions() const {
  const ParticleStore& store = particles_.store;
  std::vector<FixedPosition> positions(static_cast<std::size_t>(store.locals()));
  if (!positions.empty())
    store.executor().copy_to_host(positions.data(), store.data(store.position()),
                                  positions.size() * sizeof(FixedPosition));
  return positions;
}

// What is measured is what counts: atoms in dense parts of the box take longer, and so do those of
// a slow processor; either way the rank gets fewer of them. A rank without atoms has no speed to
// tell, and gets the mean of the others.
double Domain::measured_speed() const {
  const auto atoms = static_cast<double>(particles_.locals());
  const double seconds = balancer_.seconds();
  const double mine = atoms > 0 && seconds > 0 ? atoms / seconds : 0;
  double sum = 0;
  int known = 0;
  for (const double s : communicator_.allgather(std::span<const double>(&mine, 1)))
    if (s > 0) {
      sum += s;
      ++known;
    }
  return mine > 0 ? mine : (known > 0 ? sum / known : 1);
}

void Domain::balance(const Box& box) {
  if (communicator_.size() == 1 || !balance_.enabled) return;
  const double speed = balance_.speeds.empty()
                           ? measured_speed()
                           : balance_.speeds[static_cast<std::size_t>(communicator_.rank())];
  if (!balancer_.is_due(balancer_.take_imbalance(communicator_))) return;
  bricks_ = balanced_decomposition(communicator_, box, host_positions(), {}, speed);
}

}  // namespace gsim::md
