// Values that are not finite and particles outside the box are reported identically on any number
// of ranks. Digests of particles do not depend on their order.

#include "gsim/domain/particle_health.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"
#include "particles.hpp"
#include "support/test_executor.hpp"

using namespace gsim;

namespace {

const Box box({0, 0, 0}, {8, 9, 10}, {}, {Boundary::periodic, Boundary::periodic, Boundary::open});
constexpr Index total = 200;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

/// The particles of a rank, which has a range of the ids.
struct Particles {
  explicit Particles(const Communicator& comm)
      : store(test::test_executor(2)),
        velocity(store.add_column("velocity", ElementType::float64, 3, Ghosts::none)),
        mass(store.add_column("mass", ElementType::float32, 1, Ghosts::none)),
        kind(store.add_column("kind", ElementType::int32, 1, Ghosts::none)) {
    store.make_locals(partition({0, total}, comm.size(), comm.rank()));
    std::vector<FixedPosition> positions;
    std::vector<std::array<double, 3>> velocities;
    for (const std::int64_t id : store.to_host<std::int64_t>(store.id())) {
      ImageCount image{};
      const auto n = static_cast<double>(id);
      positions.push_back(box.to_fixed({std::fmod(n, 8), std::fmod(n, 9), 5}, image));
      velocities.push_back({n, -n, 0.5});
    }
    store.assign(store.position(), positions);
    store.assign(velocity, velocities);
  }
  /// Calls change(row) with the row of `column` that belongs to particle `id`, on the rank that
  /// owns it.
  template <class Row, class Change>
  void change(Index id, ColumnId column, const Change& change) {
    const auto ids = store.to_host<std::int64_t>(store.id());
    auto rows = store.to_host<Row>(column);
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (ids[i] == id) change(rows[i]);
    store.assign(column, rows);
  }
  ParticleStore store;
  ColumnId velocity, mass, kind;
};

std::set<std::string> messages(const std::function<void(Particles&)>& change,
                               const ParticleCheck& check = {}) {
  std::set<std::string> messages;
  std::mutex mutex;
  for (const int ranks : {1, 2, 3, 7})
    run_in_process(ranks, [&](Communicator comm) {
      Particles particles(comm);
      change(particles);
      std::string message;
      try {
        check_particles(comm, particles.store, box, check);
      } catch (const NumericalError& error) {
        message = error.what();
      }
      const std::lock_guard lock(mutex);
      messages.insert(message);
    });
  return messages;
}

}  // namespace

TEST_CASE("particle health: no message for valid particles") {
  CHECK(messages([](Particles&) {}) == std::set<std::string>{""});
  Particles particles(Communicator::self());
  CHECK(particle_health(particles.store, box).empty());
}

TEST_CASE(
    "particle health: the invalid particle with the lowest id is reported, on any number of "
    "ranks") {
  const auto change = [](Particles& p) {
    p.change<std::array<double, 3>>(150, p.velocity, [](auto& v) { v[1] = not_a_number; });
    p.change<float>(17, p.mass, [](float& mass) { mass = infinity; });
  };
  CHECK(messages(change, {.step = 120}) ==
        std::set<std::string>{"particle 17 at (1, 8, 5), step 120, has the value inf of `mass`; "
                              "2 invalid values or positions in all"});
  Particles particles(Communicator::self());
  change(particles);
  CHECK(particle_health(particles.store, box).find("particle 17 at (1, 8, 5) has the value inf") ==
        0);
  const ColumnId velocities[] = {particles.velocity};
  CHECK(particle_health(particles.store, box, {.columns = velocities})
            .find("particle 150 at (6, 6, 5) has the value nan of `velocity`, component 1; 1 ") ==
        0);
  const ColumnId kinds[] = {particles.kind};
  CHECK_THROWS_WITH_AS(particle_health(particles.store, box, {.columns = kinds}),
                       doctest::Contains("\"kind\""), InputError);
}

TEST_CASE(
    "particle health: particles outside the box along an open axis are reported on request, and "
    "always if they are lost") {
  const auto move_out = [](Particles& p, double z) {
    ImageCount image{};
    p.change<FixedPosition>(3, p.store.position(), [&](FixedPosition& x) {
      x = box.to_fixed({3, 3, z}, image);
    });
  };
  const auto outside = [&](Particles& p) { move_out(p, 10.25); };
  CHECK(messages(outside) == std::set<std::string>{""});
  CHECK(messages(outside, {.may_leave_box = false}) ==
        std::set<std::string>{"particle 3 at (3, 3, 10.25) is outside the box along z; 1 "
                              "invalid value or position in all"});
  const auto lost = [](Particles& p) {
    p.change<FixedPosition>(3, p.store.position(),
                            [](FixedPosition& x) { x.x[2] += std::uint64_t{1} << 62; });
  };
  for (const std::string& message : messages(lost))
    CHECK(message.find("is outside the box along z by more than half a box vector") !=
          std::string::npos);
}

TEST_CASE("particle digest: it is the same on any number of ranks and for any order of particles") {
  std::set<std::uint64_t> digests, changed_digests;
  std::mutex mutex;
  for (const int ranks : {1, 2, 5})
    run_in_process(ranks, [&](Communicator comm) {
      Particles p(comm);
      const Decomposition decomposition(box, comm.size());
      Migrator(comm, p.store.executor(), BufferPath::host).migrate(p.store, decomposition);
      const ColumnId columns[] = {p.store.position(), p.velocity, p.mass};
      const std::uint64_t digest = particle_digest(comm, p.store, columns, total);
      p.change<float>(11, p.mass, [](float& mass) { mass = 1; });
      const std::uint64_t changed_digest = particle_digest(comm, p.store, columns, total);
      const std::lock_guard lock(mutex);
      digests.insert(digest);
      changed_digests.insert(changed_digest);
    });
  CHECK(digests.size() == 1);
  CHECK(changed_digests.size() == 1);
  CHECK(digests != changed_digests);
}
