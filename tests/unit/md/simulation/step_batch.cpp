// Parts of batches of steps: the states to which a simulation returns if a batch is invalid. The
// tests gpu.bits.*_batches compare whole runs with and without batches.

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/md/forces/lowest_id.hpp"
#include "src/modules/md/bonded/bonded_list.hpp"
#include "src/modules/md/integrators/faults.hpp"
#include "src/modules/md/neighbour_lists/full_list.hpp"
#include "src/modules/md/simulation/saved_atoms.hpp"
#include "support/test_executor.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

const Box cube({0, 0, 0}, {10, 10, 10});

/// A length of at most half the cube as a difference of coordinates.
std::uint64_t fixed_point(double length) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(length / 10 * 0x1p64));
}

/// Atoms on a simple cubic lattice with the distance 1.
std::vector<FixedPosition> lattice() {
  std::vector<FixedPosition> positions;
  for (int i = 0; i < 1000; ++i) {
    FixedPosition p;
    const int index[3] = {i % 10, i / 10 % 10, i / 100};
    for (int a = 0; a < 3; ++a) p.x[a] = fixed_point(1) * static_cast<std::uint64_t>(index[a]);
    positions.push_back(p);
  }
  return positions;
}

}  // namespace

TEST_CASE("step batches: lists that became stale in any step of a batch are found at its end") {
  const Executor executor = test::test_executor(2);
  std::vector<FixedPosition> atoms = lattice();
  Array<FixedPosition> positions(executor, atoms);
  FullList<double> list(executor, cube, 2.5, 0.3);
  const auto move_in_batch = [&](double distance) {
    atoms[123].x[0] += fixed_point(distance);
    positions.assign(atoms);
    list.load_in_batch(positions.view());
  };
  list.rebuild({positions.view(), 1000}, nullptr);
  list.begin_batch();
  for (int step = 0; step < 3; ++step) move_in_batch(0.04);
  CHECK(list.end_batch());
  // The atom moves too far, and back.
  list.begin_batch();
  move_in_batch(0.04);
  move_in_batch(-0.04);
  CHECK_FALSE(list.end_batch());
  CHECK(list.load_locals(positions.view()));  // as if the batch had not been
  CHECK(list.pop_overlap() == no_particle);
}

TEST_CASE("step batches: an overlap before a batch is kept, and one within makes it invalid") {
  const Executor executor = test::test_executor(1);
  const std::vector<FixedPosition> atoms = lattice();
  Array<FixedPosition> positions(executor, atoms);
  FullList<double> list(executor, cube, 2.5, 0.3);
  list.rebuild({positions.view(), 1000}, nullptr);
  FullListStatus* const on_device = list.pass(/*ghosts=*/false).status;
  const auto set_overlap = [&](std::uint64_t id) {
    executor.copy_from_host(&on_device->overlap, &id, sizeof id);
  };
  list.begin_batch();
  list.load_in_batch(positions.view());
  set_overlap(5);
  CHECK_FALSE(list.end_batch());
  CHECK(list.pop_overlap() == no_particle);
  set_overlap(7);
  list.begin_batch();
  list.load_in_batch(positions.view());
  set_overlap(3);
  CHECK_FALSE(list.end_batch());
  CHECK(list.pop_overlap() == 7);
}

TEST_CASE("step batches: records of faults are cleared from a step on, also across their end") {
  const Executor executor = test::test_executor(1);
  FaultRecords records(executor, nullptr);
  const auto fail = [&](Index step, std::uint64_t atom) {
    const Faults fault{atom, no_particle};
    executor.copy_from_host(records.record(step), &fault, sizeof fault);
  };
  const Index last = Integrator::fault_memory + 2;
  for (Index step = 0; step < last - 4; ++step) records.record(step);
  for (Index step = last - 4; step <= last; ++step) fail(step, static_cast<std::uint64_t>(step));
  CHECK(records.first().step == last - 3);
  records.clear_from(last - 3);
  CHECK(records.first().step == last - 3);
  CHECK(records.first().message.find("atom " + std::to_string(last - 3)) != std::string::npos);
  records.clear_from(last - 4);
  CHECK(records.first().message.empty());
  for (Index step = last - 4; step < last; ++step) records.record(step);
  CHECK(records.first().message.empty());
}

TEST_CASE("step batches: bonds out of range that a batch has found are forgotten with it") {
  const Executor executor = test::test_executor(1);
  // In place of a kernel: reports an interaction whose first atom has the id `order`.
  const auto report = [](const Executor& e, const BondedJob& job) {
    const BondedFault fault{static_cast<std::uint64_t>(job.order)};
    e.copy_from_host(job.fault, &fault, sizeof fault);
  };
  BondedList list(executor, report, nullptr, 2, 0, {1.0}, /*order=*/7);
  list.save_fault();
  list.run({});
  list.restore_fault();
  CHECK(list.take_fault() == no_particle);
  list.run({});
  list.save_fault();
  list.restore_fault();
  CHECK(list.take_fault() == 7);
  CHECK(list.take_fault() == no_particle);
}

TEST_CASE("step batches: saved atoms are restored to the bit") {
  const Executor executor = test::test_executor(1);
  Particles particles(executor, {});
  ParticleStore& store = particles.store;
  store.resize_locals(100);
  const ColumnId columns[] = {store.position(), particles.image, particles.velocity,
                              particles.force};
  const auto fill = [&](int seed) {
    for (const ColumnId column : columns) {
      std::vector<std::byte> rows(static_cast<std::size_t>(100 * store.column(column).row_bytes));
      for (std::size_t b = 0; b < rows.size(); ++b)
        rows[b] = static_cast<std::byte>((b * 31 + static_cast<std::size_t>(seed)) % 251);
      executor.copy_from_host(store.data(column), rows.data(), rows.size());
    }
  };
  const auto contents = [&] {
    std::vector<std::vector<std::byte>> all;
    for (const ColumnId column : columns) {
      all.emplace_back(static_cast<std::size_t>(100 * store.column(column).row_bytes));
      executor.copy_to_host(all.back().data(), store.data(column), all.back().size());
    }
    return all;
  };
  SavedAtoms saved(executor);
  fill(1);
  const auto before = contents();
  saved.save(particles);
  fill(2);
  CHECK(contents() != before);
  saved.restore(particles);
  CHECK(contents() == before);
}
