#include "src/modules/md/simulation/domain.hpp"

#include <array>
#include <vector>

namespace gsim::md {

Domain::Domain(const Communicator& communicator, Particles& particles, const Box& box, double width,
               BufferPath path)
    : communicator_(communicator),
      particles_(particles),
      width_(width),
      path_(path),
      bricks_(box, communicator.size()),
      migrator_(communicator, particles.store.executor(), path),
      plan_(communicator),
      halo_(plan_, particles.store, path) {}

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

// A rank's speed is what it has measured: atoms in dense parts of the box take longer, and so do
// those of a slow processor; either way the rank gets fewer of them.
void Domain::balance(const Box& box) {
  if (communicator_.size() == 1) return;
  const double seconds = balancer_.seconds();
  if (!balancer_.is_due(balancer_.take_imbalance(communicator_))) return;
  const auto atoms = static_cast<double>(particles_.locals());
  const double speed = atoms > 0 && seconds > 0 ? atoms / seconds : 0;
  const std::vector<double> speeds = communicator_.allgather(std::span<const double>(&speed, 1));
  double sum = 0;
  int known = 0;
  for (const double s : speeds)
    if (s > 0) {
      sum += s;
      ++known;
    }
  if (known == 0) return;
  // A rank without atoms has no speed to tell; it gets the mean one.
  bricks_ = balanced_decomposition(communicator_, box, host_positions(), {},
                                   speed > 0 ? speed : sum / known);
}

}  // namespace gsim::md
