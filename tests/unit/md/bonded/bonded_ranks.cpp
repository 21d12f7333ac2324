// Integer forces and energies of bonded interactions, trajectories and error messages do not depend
// on the numbers of ranks and threads or on the processor.

#include <array>
#include <map>
#include <string>

#include "gsim/exec/array.hpp"
#include "gsim/md/forces/lowest_id.hpp"
#include "kernels/md/integrators/integrate.hpp"
#include "src/modules/md/setup/velocities.hpp"
#include "src/modules/md/structures/chains.hpp"
#include "support/test_executor.hpp"
#include "unit/md/bonded/bonded_fixture.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// Polymer chains with interactions of all kinds, charges and two types of atoms.
BondedSystem polymer_melt() {
  ChainOptions o;
  o.chains = 48;
  o.length = 25;
  o.density = 0.3;  // a box of 15.9, twice the reach of dihedrals
  o.with_angles = o.with_dihedrals = true;
  o.seed = 3;
  const Chains chains(o);
  BondedSystem s{chains.box(), {}, chains.topology(), {}};
  const AtomColumns atoms = chains.atoms_in({0, chains.atoms()});
  for (Index i = 0; i < chains.atoms(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    s.positions.push_back(chains.box().to_cartesian(atoms.position[k]));
    s.types.push_back(static_cast<std::int32_t>(i % 3 == 0));
    s.charges.push_back(i % 2 == 0 ? 0.5 : -0.5);
  }
  Topology& t = s.topology;
  // The labels are the initials of the styles.
  t.bond_types = {"h", "f"};
  t.angle_types = {"h", "c", "s"};
  t.dihedral_types = {"o", "p"};
  for (auto& b : t.bonds) b.type = static_cast<std::int32_t>(b.atoms[0] % 2);
  for (auto& a : t.angles) a.type = static_cast<std::int32_t>(a.atoms[0] % 3);
  for (auto& d : t.dihedrals) d.type = static_cast<std::int32_t>(d.atoms[0] % 2);
  BondedParameters& p = s.parameters;
  p.bonds = {bond("harmonic", {200, 1.0}, 1.9), bond("fene", {30, 1.5, 1, 1}, 1.5)};
  p.angles = {angle("harmonic", {5, 109.5}), angle("cosine", {1.5}),
              angle("cosine_squared", {4, 120})};
  p.dihedrals = {opls_dihedral({0.3, -0.05, 0.2, 0.1}), periodic(0.2, 3, 25)};
  // Pairs of first and second neighbours are excluded; 1-4 pairs have half of the pair potential
  // and 0.8333 of Coulomb's law.
  p.special = {{true, true, false}, 0.5, 0.8333};
  p.pairs = {2, {0.1, 0.1, 0.1, 0.2}, {0.1, 0.1, 0.1, 0.12}, 0.1};
  return s;
}

/// The codes of the excluded partners of every atom, in their order.
std::map<std::int64_t, std::vector<std::int64_t>> exclusions(BondedRank& rank) {
  std::map<std::int64_t, std::vector<std::int64_t>> all;
  const Exclusions& e = rank.forces.exclusions();
  const auto first = e.first.to_host(), rows = e.rows.to_host();
  const auto codes = e.codes.to_host();
  const HostRows<std::int64_t> ids(rank.particles.store, rank.particles.store.id());
  for (std::size_t k = 0; k + 1 < first.size(); ++k) {
    auto& list = all[ids.view()[static_cast<Index>(k)]];
    list.assign(codes.begin() + first[k], codes.begin() + first[k + 1]);
    for (auto p = first[k]; p < first[k + 1]; ++p) {  // rows are those of the partners
      const auto entry = static_cast<std::size_t>(p);
      if (rows[entry] >= 0)
        CHECK(ids.view()[rows[entry]] == partner_id(codes[entry]));
      else
        CHECK(std::find(ids.view().begin(), ids.view().end(), partner_id(codes[entry])) ==
              ids.view().end());
    }
    std::sort(list.begin(), list.end());
  }
  return all;
}

/// Integrates the atoms of a rank, all of mass 1, by velocity Verlet; lists are rebuilt every ten
/// steps.
class Trajectory {
 public:
  Trajectory(const Communicator& comm, const BondedSystem& system)
      : rank_(comm, gsim::test::test_executor(), system),
        kick_(executor(), std::array<double, 1>{0.5 * time_step * rank_.quanta.force}),
        faults_(executor(), std::array<Faults, 1>{Faults{no_particle, no_particle}}),
        halo_(rank_.plan, rank_.particles.store, BufferPath::host) {
    Particles& p = rank_.particles;
    const auto ids = p.store.to_host<std::int64_t>(p.store.id());
    const std::vector<double> masses(ids.size(), 1.0);
    std::vector<Vector3> velocities(ids.size());
    draw_velocities(5, 1.0, units_of(UnitSystem::lj), ids, masses, velocities);
    p.store.assign(p.velocity, velocities);
  }

  /// Positions and velocities by id, and the energy at the beginning and at the end.
  struct FinalState {
    std::vector<std::byte> state;
    std::array<double, 2> energy{};
    friend bool operator==(const FinalState&, const FinalState&) = default;
  };
  FinalState run(int steps, Index atoms) {
    FinalState final_state;
    rank_.rebuild();
    final_state.energy[0] = energy();
    for (int n = 1; n <= steps; ++n) {
      kick_and_drift();
      if (n % 10 == 0) {
        rank_.rebuild();
      } else {
        halo_.post(std::array{rank_.particles.store.position()});
        halo_.finish();
      }
      rank_.compute(false);
      md_kick(executor(), {rank_.particles.moving(), kick_.view(), 1});
    }
    final_state.energy[1] = energy();
    Particles& p = rank_.particles;
    for (const ColumnId column : {p.store.position(), p.velocity, p.image}) {
      const auto rows = rows_by_id(rank_.comm, p.store, column, atoms);
      const auto all = rank_.comm.allgather(std::span<const std::byte>(rows));
      final_state.state.insert(final_state.state.end(), all.begin(), all.end());
    }
    return final_state;
  }

 private:
  static constexpr double time_step = 0.002;
  const Executor& executor() const { return rank_.particles.store.executor(); }
  void kick_and_drift() {
    const auto m = rank_.box.matrix(64);
    md_kick_drift(executor(), {{rank_.particles.moving(), kick_.view(), 1},
                               {time_step / m[0], time_step / m[1], time_step / m[2], 0, 0, 0},
                               {true, true, true},
                               faults_.view().data});
  }
  /// Kinetic energy, from squares in units of 2^-50, and potential energy.
  double energy() {
    Particles& p = rank_.particles;
    ExactSum kinetic;
    for (const Vector3& v : p.store.to_host<Vector3>(p.velocity))
      for (const double c : v) kinetic.add(std::llrint(std::ldexp(c * c, 50)));
    rank_.comm.sum(std::span<ExactSum>(&kinetic, 1));
    return kinetic.value(0x1p-51) + rank_.compute().energy();
  }
  BondedRank rank_;
  Array<double> kick_;
  Array<Faults> faults_;
  HaloExchange halo_;
};

std::string error_message(const BondedSystem& system, int ranks) {
  try {
    compute(system, ranks, gsim::test::test_executor());
  } catch (const NumericalError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE(
    "bonded: integer forces and sums do not depend on ranks, threads, processor or order of "
    "atoms") {
  const BondedSystem system = polymer_melt();
  const BondedResult reference = compute(system, 1, Executor::host(1));
  REQUIRE(reference.energies.size() == 4);
  for (const double e : reference.energies) CHECK(std::abs(e) > 1);
  for (const int ranks : {1, 2, 3, 5, 8})
    for (const std::uint64_t shuffle : {0, 1, 2}) {
      CAPTURE(ranks);
      const BondedResult result = compute(system, ranks, gsim::test::test_executor(), shuffle);
      CHECK(result.quanta == reference.quanta);
      CHECK(result.sums == reference.sums);
    }
  for (const Executor& executor : gsim::test::test_executors({1, 2, 5})) {
    CAPTURE(executor.describe());
    const BondedResult result = compute(system, 2, executor, 7);
    CHECK(result.quanta == reference.quanta);
    CHECK(result.sums == reference.sums);
  }
}

TEST_CASE("bonded: forces are the same with and without energy and virial sums") {
  BondedRank rank(Communicator::self(), gsim::test::test_executor(), polymer_melt());
  rank.rebuild();
  CHECK(rank.compute(false).quanta == rank.compute(true).quanta);
  // 48 chains of 24 bonds, 23 angles, 22 dihedrals and 22 pairs of atoms three bonds apart.
  CHECK(rank.forces.interactions() == 48 * (24 + 23 + 22 + 22));
}

TEST_CASE("bonded: topology and exclusions migrate with the atoms") {
  const BondedSystem system = polymer_melt();
  BondedRank whole(Communicator::self(), gsim::test::test_executor(), system);
  whole.rebuild();
  const auto expected = exclusions(whole);
  const auto forces = whole.compute().quanta;
  for (const int ranks : {2, 3, 5, 8})
    run_in_process(ranks, [&](Communicator comm) {
      BondedRank rank(comm, gsim::test::test_executor(), system);
      rank.rebuild(9);
      for (int round = 0; round < 2; ++round) {
        for (const auto& [id, list] : exclusions(rank)) CHECK(list == expected.at(id));
        ParticleStore& store = rank.particles.store;
        auto positions = store.to_host<FixedPosition>(store.position());
        for (FixedPosition& x : positions) x.x[0] += std::uint64_t{1} << 63;
        store.assign(store.position(), positions);
        rank.rebuild(5);  // half a box away: all atoms change their rank
      }
      CHECK(rank.compute().quanta == forces);
    });
}

TEST_CASE("bonded: the trajectory of a polymer melt has the same bits on any number of ranks") {
  BondedSystem system = polymer_melt();
  // No forces between 1-4 pairs, whose atoms may overlap in random chains.
  system.parameters.special = {{true, true, true}, 1, 1};
  constexpr int steps = 150;
  Trajectory::FinalState reference;
  run_in_process(1, [&](Communicator comm) {
    reference = Trajectory(comm, system).run(steps, system.atoms());
  });
  CHECK(reference.energy[1] == doctest::Approx(reference.energy[0]).epsilon(2e-3));
  for (const int ranks : {2, 3, 4, 5, 8}) {
    CAPTURE(ranks);
    run_in_process(ranks, [&](Communicator comm) {
      const Trajectory::FinalState result = Trajectory(comm, system).run(steps, system.atoms());
      CHECK(result == reference);
    });
  }
}

TEST_CASE(
    "bonded: a bond partner beyond the ghost region is an error on all ranks that names the atom") {
  BondedSystem s = polymer_melt();
  s.parameters.id_of = [](Index atom) { return 1000 + atom; };
  // Bonds alone, so that ghosts reach only 1.9 beyond the domain; 31 is bonded to 30 and 32.
  s.topology.angles.clear();
  s.topology.dihedrals.clear();
  s.parameters.special = {{true, true, true}, 1, 1};
  for (std::size_t a = 0; a < 3; ++a) s.positions[31][a] += 7.5;
  for (const int ranks : {5, 8}) {
    int failed = 0;
    std::mutex lock;
    run_in_process(ranks, [&](Communicator comm) {
      BondedRank rank(comm, gsim::test::test_executor(), s);
      std::string text;
      try {
        rank.rebuild();
      } catch (const NumericalError& error) {
        text = error.what();
      }
      CAPTURE(text);
      const std::lock_guard guard(lock);
      failed += !text.empty();
      // The ids are 1000 + index, so that 10 are the first two digits of the id of either partner.
      if (!text.empty()) CHECK(text.find("needs atom 10") != std::string::npos);
    });
    CHECK(failed == ranks);
  }
}

TEST_CASE("bonded: a bond that is too long gives the same error on any number of ranks") {
  BondedSystem s = polymer_melt();
  s.positions[31][0] += 0.9;
  s.positions[31][1] += 0.9;
  s.positions[31][2] += 0.9;
  const std::string reference = error_message(s, 1);
  CHECK(reference.find("bond 31-32 of type `h` is out of range") != std::string::npos);
  for (const int ranks : {2, 3, 5, 8}) CHECK(error_message(s, ranks) == reference);
}
