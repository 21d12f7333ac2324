// Particles that are saved and restored on other numbers of ranks, with all or some of their
// columns.

#include "gsim/engine/particle_state.hpp"

#include <array>
#include <atomic>
#include <mutex>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/io/memory_datasets.hpp"
#include "support/test_executor.hpp"

using namespace gsim;

namespace {

constexpr Index total = 101;
const Box box({0, 0, 0}, {10, 10, 10});

/// A store with columns of several types, whose values follow from the ids of the particles.
struct Particles {
  explicit Particles(const Communicator& c)
      : communicator(c),
        decomposition(box, c.size()),
        store(test::test_executor()),
        velocity(store.add_column("velocity", ElementType::float64, 3, Ghosts::none)),
        charge(store.add_column("charge", ElementType::float32, 1, Ghosts::copied)),
        partners(store.add_column("partners", ElementType::int32, 2, Ghosts::none)),
        image(store.add_column("image", ElementType::int64, 3, Ghosts::none)) {}

  /// Creates `total` particles, and migrates them to the ranks that own their positions.
  void fill() {
    store.make_locals(partition({0, total}, communicator.size(), communicator.rank()));
    const Rows rows = expected();
    store.assign(store.position(), rows.position);
    store.assign(velocity, rows.velocity);
    store.assign(charge, rows.charge);
    store.assign(partners, rows.partners);
    store.assign(image, rows.image);
    migrate();
  }
  void migrate() {
    Migrator(communicator, store.executor(), BufferPath::host).migrate(store, decomposition);
  }
  /// All columns except the ids.
  struct Rows {
    std::vector<FixedPosition> position;
    std::vector<std::array<double, 3>> velocity;
    std::vector<float> charge;
    std::vector<std::array<std::int32_t, 2>> partners;
    std::vector<std::array<std::int64_t, 3>> image;
  };
  /// The rows that belong to the ids of the particles.
  Rows expected() const {
    Rows rows;
    for (const Index id : store.to_host<std::int64_t>(store.id())) {
      const auto n = static_cast<std::uint64_t>(id);
      rows.position.push_back({{n * 0x123456789abcdefu, n << 57, n * n << 40}});
      rows.velocity.push_back({id / 3.0, -1.0 / (id + 1), 0.0});
      rows.charge.push_back(static_cast<float>(id) / 7);
      const auto k = static_cast<std::int32_t>(id);
      rows.partners.push_back({k - 1, k + 1});
      rows.image.push_back({-id, id, id << 40});
    }
    return rows;
  }
  /// Number of columns that differ from expected().
  int count_errors() const {
    const Rows rows = expected();
    const auto differs = [&](ColumnId column, const auto& expected_rows) {
      using Row = typename std::remove_cvref_t<decltype(expected_rows)>::value_type;
      return store.to_host<Row>(column) != expected_rows ? 1 : 0;
    };
    return differs(store.position(), rows.position) + differs(velocity, rows.velocity) +
           differs(charge, rows.charge) + differs(partners, rows.partners) +
           differs(image, rows.image);
  }

  Communicator communicator;
  Decomposition decomposition;
  ParticleStore store;
  ColumnId velocity, charge, partners, image;
};

/// The datasets that `ranks` ranks save.
MemoryDatasets::Contents saved_on(int ranks) {
  MemoryDatasets::Contents contents;
  run_in_process(ranks, [&](Communicator comm) {
    Particles particles(comm);
    particles.fill();
    MemoryDatasets datasets(comm);
    save_particles(datasets, "particles", comm, particles.store, total);
    write_coordinates(datasets, "coordinates", comm, particles.store, box, total);
    if (comm.is_root()) contents = datasets.contents();
  });
  return contents;
}

}  // namespace

TEST_CASE(
    "particle state: the datasets are the same from any number of ranks, and restored on any") {
  const auto on_one_rank = saved_on(1);
  CHECK(on_one_rank.datasets.size() == 6);
  CHECK(on_one_rank.datasets.at("particles/velocity").shape.columns == 3);
  CHECK(on_one_rank.datasets.at("particles/charge").shape.type == ElementType::float32);
  CHECK(saved_on(3) == on_one_rank);
  for (const int ranks : {1, 2, 4}) {
    std::atomic<int> errors{0};
    std::atomic<Index> restored{0};
    run_in_process(ranks, [&](Communicator comm) {
      MemoryDatasets datasets(comm, on_one_rank);
      Particles particles(comm);
      particles.store.make_locals({0, 7});  // previous contents are discarded
      restore_particles(datasets, "particles", comm, particles.store, total);
      errors += particles.count_errors();
      particles.migrate();
      errors += particles.count_errors();
      restored += particles.store.locals();
      for (const FixedPosition& p :
           particles.store.to_host<FixedPosition>(particles.store.position()))
        errors += particles.decomposition.owner(p) != comm.rank();
    });
    CHECK(errors == 0);
    CHECK(restored == total);
  }
}

TEST_CASE(
    "particle state: selected columns are saved; missing columns and other numbers of rows are "
    "errors") {
  const Communicator self = Communicator::self();
  Particles particles(self);
  particles.fill();
  MemoryDatasets datasets(self);
  const ColumnId selected[] = {particles.charge};
  save_particles(datasets, "some", self, particles.store, total, selected);
  CHECK(datasets.contents().datasets.size() == 1);
  Particles restored_particles(self);
  restore_particles(datasets, "some", self, restored_particles.store, total, selected);
  CHECK(restored_particles.store.to_host<float>(restored_particles.charge)[70] == 10.0F);
  CHECK(restored_particles.store.to_host<std::array<double, 3>>(restored_particles.velocity)[1] ==
        std::array{0.0, 0.0, 0.0});
  CHECK_THROWS_WITH_AS(restore_particles(datasets, "some", self, restored_particles.store, total),
                       doctest::Contains("some/position"), IoError);
  CHECK_THROWS_WITH_AS(
      restore_particles(datasets, "some", self, restored_particles.store, total - 1, selected),
      doctest::Contains("some/charge has 101 rows"), IoError);
  auto ids = particles.store.to_host<std::int64_t>(particles.store.id());
  ids[3] = 4;
  particles.store.assign(particles.store.id(), ids);
  CHECK_THROWS_WITH_AS(save_particles(datasets, "twice", self, particles.store, total),
                       doctest::Contains("exists twice"), NumericalError);
}
