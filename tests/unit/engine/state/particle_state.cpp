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

using namespace gsim;

namespace {

constexpr Index total = 101;
const Box box({0, 0, 0}, {10, 10, 10});

/// A store with columns of several types, whose values follow from the ids of the particles.
struct Particles {
  explicit Particles(const Communicator& c)
      : communicator(c),
        decomposition(box, c.size()),
        store(Executor::host(1)),
        velocity(store.add_column("velocity", ElementType::float64, 3, Ghosts::none)),
        charge(store.add_column("charge", ElementType::float32, 1, Ghosts::copied)),
        partners(store.add_column("partners", ElementType::int32, 2, Ghosts::none)),
        image(store.add_column("image", ElementType::int64, 3, Ghosts::none)) {}

  /// Creates `total` particles, and migrates them to the ranks that own their positions.
  void fill() {
    store.make_locals(partition({0, total}, communicator.size(), communicator.rank()));
    for (Index i = 0; i < store.locals(); ++i) set(i);
    migrate();
  }
  void migrate() {
    Migrator(communicator, store.executor(), BufferPath::host).migrate(store, decomposition);
  }
  /// Sets all columns of row i to the values that belong to its id.
  void set(Index i) {
    const Index id = store.view<std::int64_t>(store.id())[i];
    const auto n = static_cast<std::uint64_t>(id);
    store.view<FixedPosition>(store.position())[i] = {
        {n * 0x123456789abcdefu, n << 57, n * n << 40}};
    store.view<std::array<double, 3>>(velocity)[i] = {id / 3.0, -1.0 / (id + 1), 0.0};
    store.view<float>(charge)[i] = static_cast<float>(id) / 7;
    const auto k = static_cast<std::int32_t>(id);
    store.view<std::array<std::int32_t, 2>>(partners)[i] = {k - 1, k + 1};
    store.view<std::array<std::int64_t, 3>>(image)[i] = {-id, id, id << 40};
  }
  /// Number of rows that differ from the values of set().
  int count_errors() {
    int count = 0;
    for (Index i = 0; i < store.locals(); ++i) {
      std::vector<std::vector<std::byte>> bytes_before;
      for (int pass = 0; pass < 2; ++pass) {
        for (int c = 0; c < store.columns(); ++c) {
          const Index bytes = store.column({c}).row_bytes;
          const std::byte* const row = store.data({c}) + i * bytes;
          const std::vector<std::byte> row_bytes(row, row + bytes);
          if (pass == 0)
            bytes_before.push_back(row_bytes);
          else
            count += bytes_before[static_cast<std::size_t>(c)] != row_bytes;
        }
        if (pass == 0) set(i);
      }
    }
    return count;
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
      const auto position = particles.store.view<FixedPosition>(particles.store.position());
      for (const FixedPosition& p : position)
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
  CHECK(restored_particles.store.view<float>(restored_particles.charge)[70] == 10.0F);
  CHECK(restored_particles.store.elements<double>(restored_particles.velocity)[3] == 0);
  CHECK_THROWS_WITH_AS(restore_particles(datasets, "some", self, restored_particles.store, total),
                       doctest::Contains("some/position"), IoError);
  CHECK_THROWS_WITH_AS(
      restore_particles(datasets, "some", self, restored_particles.store, total - 1, selected),
      doctest::Contains("some/charge has 101 rows"), IoError);
  particles.store.view<std::int64_t>(particles.store.id())[3] = 4;
  CHECK_THROWS_WITH_AS(save_particles(datasets, "twice", self, particles.store, total),
                       doctest::Contains("exists twice"), NumericalError);
}
