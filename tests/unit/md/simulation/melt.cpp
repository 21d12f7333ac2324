// A Lennard-Jones melt is integrated on several ranks without the module: lattice, velocities,
// decomposition, migration, halo exchange, pair forces and velocity Verlet. The bits of the
// trajectory must not depend on the number of ranks.

#include <array>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/array.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/integrators/integrate.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"
#include "src/modules/md/setup/velocities.hpp"
#include "src/modules/md/structures/lattice.hpp"
#include "support/test_executor.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr double density = 0.8442, temperature = 1.44, cutoff = 2.5, skin = 0.3, time_step = 0.005;

LatticeOptions melt_lattice() {
  LatticeOptions options;
  options.density = density;
  options.cells = {5, 5, 5};
  return options;
}

/// One rank's part of a Lennard-Jones melt.
class Melt {
 public:
  Melt(const Communicator& communicator, PairPrecision precision)
      : comm_(communicator),
        executor_(gsim::test::test_executor(1)),
        lattice_(melt_lattice()),
        box_(lattice_.box()),
        decomposition_(box_, comm_.size()),
        store_(executor_),
        image_(store_.add_column("image", ElementType::int32, 3, Ghosts::none)),
        velocity_(store_.add_column("velocity", ElementType::float64, 3, Ghosts::none)),
        type_(store_.add_column("type", ElementType::int32, 1, Ghosts::none)),
        force_(store_.add_column("force", ElementType::int64, 3, Ghosts::none)),
        migrator_(comm_, executor_, BufferPath::host),
        plan_(comm_),
        halo_(plan_, store_, BufferPath::host),
        pairs_(make_pair_forces(executor_, box_, lennard_jones_table(cutoff), {skin, precision})),
        kick_(executor_, std::array<double, 1>{0.5 * time_step * pairs_->quanta().force}),
        mass_(executor_, std::array<double, 1>{1 / unit}),
        faults_(executor_, std::array<Faults, 1>{Faults{no_particle, no_particle}}) {
    fill();
    rebuild();
    compute(true);
  }

  void advance(int steps) {
    for (int n = 0; n < steps; ++n) {
      kick_and_drift();
      const bool stale = !pairs_->load_positions(positions());
      if (comm_.any(stale)) {
        rebuild();
      } else {
        halo_.post(std::array{store_.position()});
      }
      compute(n + 1 == steps);
      md_kick(executor_, {moving(), kick_.view(), 1});
    }
  }

  /// Potential and kinetic energy per atom.
  std::array<double, 2> energies() {
    std::array<ExactSum, 10> sums;  // nine of md_kinetic_sums(), then the potential energy
    md_kinetic_sums(executor_, {moving(), mass_.view(), sums.data()});
    sums[9].add(pairs_sums_.energy[0]);
    comm_.sum(sums);
    const auto n = static_cast<double>(lattice_.atoms());
    double kinetic = 0;
    for (std::size_t a = 0; a < 3; ++a) kinetic += sums[a].value(unit);
    return {sums[9].value(pairs_->quanta().energy) / 2 / n, kinetic / 2 / n};
  }

  /// The state of this rank's atoms, in the order of ids.
  std::vector<std::byte> state() const {
    std::vector<std::byte> all;
    for (const ColumnId column : {store_.position(), image_, velocity_, force_}) {
      const auto rows = rows_by_id(comm_, store_, column, lattice_.atoms());
      all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
  }
  bool is_valid() const {
    const Faults f = faults_.to_host().front();
    return f.too_fast == no_particle && f.lost == no_particle;
  }
  int rebuilds() const { return rebuilds_; }

 private:
  static constexpr double unit = 0x1p-44;  // quantum of the kinetic sums

  void fill() {
    const IndexRange own_range = partition({0, lattice_.atoms()}, comm_.size(), comm_.rank());
    const AtomColumns atoms = lattice_.atoms_in(own_range);
    std::vector<std::int64_t> ids;
    for (Index i = own_range.first; i < own_range.last; ++i) ids.push_back(i);
    const std::vector<double> masses(ids.size(), 1.0);
    std::vector<Vector3> velocities(ids.size());
    const Units& units = units_of(UnitSystem::lj);
    constexpr std::uint64_t seed = 87287;
    draw_velocities(seed, temperature, units, ids, masses, velocities);
    adjust_velocities(comm_, temperature, units, {}, masses, velocities);
    store_.make_locals(own_range);
    store_.assign(store_.position(), atoms.position);
    store_.assign(velocity_, velocities);
  }

  View<const FixedPosition> positions() { return store_.view<FixedPosition>(store_.position()); }

  MovingParticles moving() {
    const Index n = store_.locals();
    return {{store_.view<FixedPosition>(store_.position()).data, n},
            store_.elements<std::int32_t>(image_),
            store_.elements<double>(velocity_),
            store_.elements<std::int64_t>(force_),
            store_.elements<std::int32_t>(type_),
            {store_.elements<std::int64_t>(store_.id()).data, n}};
  }

  void kick_and_drift() {
    const auto m = box_.matrix(64);
    KickDriftArgs args{{moving(), kick_.view(), 1},
                       {time_step / m[0], time_step / m[1], time_step / m[2], 0, 0, 0},
                       {true, true, true},
                       faults_.view().data};
    md_kick_drift(executor_, args);
  }

  void rebuild() {
    ++rebuilds_;
    migrator_.migrate(store_, decomposition_);
    plan_.build(store_, box_, decomposition_, cutoff + skin);
    pairs_->list_pairs({positions(), store_.locals()}, nullptr);
    lists_are_new_ = true;
  }

  void compute(bool with_energy) {
    if (lists_are_new_) REQUIRE(pairs_->load_positions(positions()));
    const View<std::int64_t> force = store_.elements<std::int64_t>(force_);
    executor_.fill_zero(force.data, static_cast<std::size_t>(force.size) * 8);
    pairs_->compute_local_pairs(force, with_energy);
    if (!lists_are_new_) halo_.finish();
    lists_are_new_ = false;
    pairs_->compute_ghost_pairs(positions(), force, with_energy);
    pairs_sums_ = {};
    pairs_->collect_forces(force, pairs_sums_);
  }

  Communicator comm_;
  Executor executor_;
  Lattice lattice_;
  Box box_;
  Decomposition decomposition_;
  ParticleStore store_;
  ColumnId image_, velocity_, type_, force_;
  Migrator migrator_;
  HaloPlan plan_;
  HaloExchange halo_;
  std::unique_ptr<PairForces> pairs_;
  Array<double> kick_, mass_;
  Array<Faults> faults_;
  ForceSums pairs_sums_;
  int rebuilds_ = 0;
  bool lists_are_new_ = false;
};

struct RunResult {
  std::array<double, 2> start{}, end{};
  std::vector<std::byte> state;  ///< of all atoms, one column after another, in the order of ids
  bool is_valid = false;
  int rebuilds = 0;
};

RunResult run(int ranks, PairPrecision precision, int steps) {
  RunResult result;
  std::vector<std::vector<std::byte>> parts(static_cast<std::size_t>(ranks));
  std::mutex lock;
  run_in_process(ranks, [&](Communicator comm) {
    Melt melt(comm, precision);
    const auto start = melt.energies();
    melt.advance(steps);
    const auto end = melt.energies();
    const bool is_valid = !comm.any(!melt.is_valid());
    const auto state = melt.state();
    const std::lock_guard guard(lock);
    parts[static_cast<std::size_t>(comm.rank())] = state;
    if (comm.is_root()) {
      result.start = start;
      result.end = end;
      result.is_valid = is_valid;
      result.rebuilds = melt.rebuilds();
    }
  });
  // Each rank's part holds four columns, one after another. The rows of each column are
  // concatenated over ranks.
  // Position, image flags, velocity, force.
  constexpr std::array<std::size_t, 4> row_bytes = {24, 12, 24, 24};
  const Index atoms = Lattice(melt_lattice()).atoms();
  std::size_t row_offset = 0;
  for (const std::size_t bytes : row_bytes) {
    for (int r = 0; r < ranks; ++r) {
      const auto n = static_cast<std::size_t>(partition({0, atoms}, ranks, r).size());
      const std::byte* part = parts[static_cast<std::size_t>(r)].data() + row_offset * n;
      result.state.insert(result.state.end(), part, part + bytes * n);
    }
    row_offset += bytes;
  }
  return result;
}

}  // namespace

TEST_CASE(
    "melt: energy at step 0 is that of the crystal, energy is conserved, and bits do not depend on "
    "ranks") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    constexpr int steps = 120;
    const RunResult reference = run(1, precision, steps);
    CHECK(reference.is_valid);
    CHECK(reference.rebuilds > 5);
    // The energy of LAMMPS's melt at step 0, a perfect crystal, is -6.7733681 per atom
    // (bench/log.lj); the reference is the exact lattice sum over 54 neighbours per atom.
    CHECK(reference.start[0] == doctest::Approx(-6.773368053252957)
                                    .epsilon(precision == PairPrecision::mixed ? 1e-6 : 1e-11));
    // Temperature 1.44 of 3N - 3 degrees of freedom.
    CHECK(reference.start[1] == doctest::Approx(1.5 * temperature * (1 - 1.0 / 500)).epsilon(1e-9));
    // The potential's jump of 0.016 at the cutoff and the error of the time step change the energy
    // by a few 1e-3 per atom.
    CHECK(std::abs(reference.end[0] + reference.end[1] - reference.start[0] - reference.start[1]) <
          0.02);
    CHECK(reference.end[1] < 0.7 * reference.start[1]);  // it melts
    for (const int ranks : {2, 3, 4, 5, 8}) {
      CAPTURE(ranks);
      const RunResult many_ranks = run(ranks, precision, steps);
      CHECK(many_ranks.is_valid);
      CHECK(many_ranks.start == reference.start);
      CHECK(many_ranks.end == reference.end);
      CHECK(many_ranks.state == reference.state);
    }
  }
}
