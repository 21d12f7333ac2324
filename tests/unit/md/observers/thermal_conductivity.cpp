// The heat flux of pair forces is compared with a direct sum and with the time derivative of the
// sum of e_i r_i over atoms; whole runs on several ranks; refused systems.

#include "src/modules/md/observers/thermal_conductivity.hpp"

#include <array>
#include <cmath>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/pair_forces/full_list_pair_forces.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/md/observers/observed_system.hpp"
#include "tests/unit/md/simulation/module_runs.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr double cutoff = 2.5;
using Long3 = std::array<long double, 3>;

PairTable lennard_jones_table() {
  PairTable table({"A"});
  table.add(0, 0, lennard_jones(1, 1, cutoff, Smoothing::shift));
  return table;
}

/// ThermalConductivity with a public flux().
class PublicHeatFlux : public ThermalConductivity {
 public:
  PublicHeatFlux(const ObserverSetup& setup)
      : ThermalConductivity("lambda", {.every = 1}, {.lags = 2}, setup) {}
  using ThermalConductivity::flux;
};

/// Atoms of an fcc crystal with the lattice constant 1.7, displaced by up to 0.1 along each axis,
/// with random velocities.
std::vector<ObservedAtom> atoms_in(const Box& box, int cells) {
  std::mt19937_64 random(3);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) * 0x1p-53 - 0.5; };
  const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  std::vector<ObservedAtom> atoms;
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const auto& b : basis) {
      Vector3 r;
      const int cell[3] = {k % cells, k / cells % cells, k / cells / cells};
      for (std::size_t a = 0; a < 3; ++a) r[a] = 1.7 * (cell[a] + b[a]) + 0.2 * uniform() + 0.2;
      atoms.push_back(atom_at(box, r));
      for (double& v : atoms.back().velocity) v = 3 * uniform();
    }
  return atoms;
}

/// The setup of the system, from which observers obtain Lennard-Jones forces.
ObserverSetup& with_pairs(ObservedSystem& system, PairPrecision precision) {
  system.setup.make_single_atom_pairs = [&system, precision] {
    return make_full_list_pair_forces(system.setup.executor, system.box, lennard_jones_table(),
                                      {.skin = 0, .precision = precision});
  };
  return system.setup;
}

/// Thermodynamic state of which only the momentum is set.
Thermo thermo_of(const std::vector<ObservedAtom>& atoms, double mass) {
  Thermo thermo;
  for (const ObservedAtom& atom : atoms)
    for (std::size_t a = 0; a < 3; ++a) thermo.momentum[a] += mass * atom.velocity[a];
  return thermo;
}

/// The shortest vector between `from` and the periodic images of `to`.
Long3 nearest_image(const Box& box, const Vector3& from, const Vector3& to) {
  const auto &l = box.lengths(), &t = box.tilts();
  Long3 shortest{};
  long double smallest = 1e300L;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const Long3 d = {static_cast<long double>(to[0]) - from[0] + x * l[0] + y * t[0] + z * t[1],
                         static_cast<long double>(to[1]) - from[1] + y * l[1] + z * t[2],
                         static_cast<long double>(to[2]) - from[2] + z * l[2]};
        const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 >= smallest) continue;
        smallest = r2;
        shortest = d;
      }
  return shortest;
}

struct Interaction {
  long double energy = 0, force_over_r = 0;
};
/// Lennard-Jones, cut and shifted.
Interaction lennard_jones_at(long double r2) {
  if (r2 >= static_cast<long double>(cutoff) * cutoff) return {};
  const auto inverse_cube = [](long double x2) { return 1 / (x2 * x2 * x2); };
  const long double s = inverse_cube(r2), at_cutoff = inverse_cube(cutoff * cutoff);
  return {4 * (s * s - s) - 4 * (at_cutoff * at_cutoff - at_cutoff), (48 * s * s - 24 * s) / r2};
}

/// The heat flux by its definition: a sum over all pairs of atoms in the frame of the centre of
/// mass.
Long3 direct_heat_flux(const Box& box, const std::vector<ObservedAtom>& atoms, double mass) {
  Long3 drift{}, flux{};
  for (const ObservedAtom& atom : atoms)
    for (std::size_t a = 0; a < 3; ++a)
      drift[a] += static_cast<long double>(atom.velocity[a]) / static_cast<int>(atoms.size());
  for (const ObservedAtom& i : atoms) {
    Long3 v;
    for (std::size_t a = 0; a < 3; ++a) v[a] = i.velocity[a] - drift[a];
    long double energy = 0.5L * mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (const ObservedAtom& j : atoms) {
      if (&i == &j) continue;
      const Long3 d =
          nearest_image(box, box.to_cartesian(j.position), box.to_cartesian(i.position));
      const Interaction pair = lennard_jones_at(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      energy += pair.energy / 2;
      const long double power = pair.force_over_r * (d[0] * v[0] + d[1] * v[1] + d[2] * v[2]);
      for (std::size_t a = 0; a < 3; ++a) flux[a] += d[a] * power / 2;
    }
    for (std::size_t a = 0; a < 3; ++a) flux[a] += energy * v[a];
  }
  return flux;
}

}  // namespace

TEST_CASE(
    "thermal conductivity: the heat flux agrees with a direct sum over all pairs, on any ranks") {
  const Box box({1, 0, -1}, {8.5, 8.5, 8.5}, {1.7, -1.7, 3.4});
  constexpr double mass = 2;
  const std::vector<ObservedAtom> atoms = atoms_in(box, 5);
  const Thermo thermo = thermo_of(atoms, mass);
  const Long3 expected = direct_heat_flux(box, atoms, mass);
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    const double tolerance = precision == PairPrecision::mixed ? 1e-4 : 1e-9;
    std::vector<double> reference_flux;
    for (const int ranks : {1, 2, 3, 5})
      run_in_process(ranks, [&](Communicator comm) {
        ObservedSystem system(comm, box, atoms, {mass}, ranks == 2 ? 3 : 1);
        PublicHeatFlux observer(with_pairs(system, precision));
        CHECK(observer.reach() == cutoff);
        system.start(atoms, observer.reach());
        const std::vector<double> flux = observer.flux(system.snapshot(0, &thermo));
        if (!comm.is_root()) return;
        if (reference_flux.empty()) reference_flux = flux;
        CHECK(flux == reference_flux);
        for (std::size_t a = 0; a < 3; ++a)
          // The sum has 500 atoms.
          CHECK(std::abs(flux[a] - static_cast<double>(expected[a])) < tolerance * 500);
      });
  }
}

// Without periodic images the flux is the time derivative of the sum over i of e_i r_i, where e_i
// is the kinetic energy of an atom and half of the energy of its pairs.
TEST_CASE("thermal conductivity: the heat flux is the time derivative of the sum of e_i r_i") {
  const Box box({0, 0, 0}, {20, 20, 20}, {}, {Boundary::open, Boundary::open, Boundary::open});
  std::vector<ObservedAtom> atoms = atoms_in(box, 1);
  const auto n = atoms.size();
  Vector3 mean{};
  for (const ObservedAtom& atom : atoms)
    for (std::size_t a = 0; a < 3; ++a) mean[a] += atom.velocity[a] / static_cast<double>(n);
  std::vector<Long3> r(n), v(n), f(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      atoms[i].velocity[a] -= mean[a];
      r[i][a] = box.to_cartesian(atoms[i].position)[a];
      v[i][a] = atoms[i].velocity[a];
    }
  const auto interaction = [&](const std::vector<Long3>& positions, std::size_t i, std::size_t j) {
    long double r2 = 0;
    for (std::size_t a = 0; a < 3; ++a)
      r2 += (positions[i][a] - positions[j][a]) * (positions[i][a] - positions[j][a]);
    return lennard_jones_at(r2);
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t a = 0; a < 3; ++a)
        if (i != j) f[i][a] += interaction(r, i, j).force_over_r * (r[i][a] - r[j][a]);
  const auto first_moment_of_energy = [&](long double h) {
    std::vector<Long3> positions(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a)
        positions[i][a] = r[i][a] + h * v[i][a] + h * h / 2 * f[i][a];
    Long3 moment{};
    for (std::size_t i = 0; i < n; ++i) {
      long double energy = 0;
      for (std::size_t a = 0; a < 3; ++a) energy += 0.5L * std::pow(v[i][a] + h * f[i][a], 2);
      for (std::size_t j = 0; j < n; ++j)
        if (i != j) energy += interaction(positions, i, j).energy / 2;
      for (std::size_t a = 0; a < 3; ++a) moment[a] += energy * positions[i][a];
    }
    return moment;
  };
  const long double h = 1e-5L;
  const Long3 moment_after = first_moment_of_energy(h), moment_before = first_moment_of_energy(-h);
  ObservedSystem system(Communicator::self(), box, atoms, {1});
  PublicHeatFlux observer(with_pairs(system, PairPrecision::float64));
  system.start(atoms, observer.reach());
  const Thermo thermo = thermo_of(atoms, 1);
  const std::vector<double> flux = observer.flux(system.snapshot(0, &thermo));
  for (std::size_t a = 0; a < 3; ++a) {
    const auto rate = static_cast<double>((moment_after[a] - moment_before[a]) / (2 * h));
    CHECK(std::abs(rate) > 0.1);
    CHECK(flux[a] == doctest::Approx(rate).epsilon(1e-6));
  }
}

namespace {

std::string melt_config(const std::string& force_tables) {
  return R"(
[md]
steps = 40
time_step = 0.005
[[type]]
name = "A"
mass = 1.0
[[type]]
name = "B"
mass = 1.0
[start]
kind = "lattice"
lattice = "fcc"
density = 0.8442
cells = [5, 5, 5]
temperature = 1.44
[[observe]]
kind = "thermal_conductivity"
every = 2
lags = 4
)" + force_tables;
}

const std::string lennard_jones_pairs = R"([pair]
cutoff = 2.5
[[pair.potential]]
kind = "lennard_jones"
epsilon = 1.0
sigma = 1.0
)";

}  // namespace

TEST_CASE("thermal conductivity: runs have the same bits on any ranks, restarted or not") {
  const std::string text = melt_config(lennard_jones_pairs);
  const Outcome reference = run(text, 1, 0, 40, 20);
  const auto& values =
      reference.results.datasets.at("observables/thermal_conductivity/thermal_conductivity");
  CHECK(values.shape.rows == 5);
  for (const int ranks : {2, 3, 5}) CHECK(run(text, ranks, 0, 40, 20).digest == reference.digest);
  const Outcome first_half = run(text, 2, 0, 20, 20);
  CHECK(run(text, 3, 20, 40, 20, &first_half.state).digest == reference.digest);
}

TEST_CASE("thermal conductivity: mixtures and forces other than pair forces are refused") {
  const auto error_message = [](const std::string& text) -> std::string {
    try {
      run(text, 1, 0, 2, 2);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  std::string mixture = melt_config(lennard_jones_pairs);
  mixture.replace(mixture.find("lattice = \"fcc\""), 15,
                  "lattice = \"fcc\"\ntypes = [\"A\", \"B\", \"A\", \"A\"]");
  CHECK(error_message(mixture).find("there are atoms of 2 types") != std::string::npos);
  std::string metal = melt_config("[eam]\nformat = \"sutton_chen\"\ncutoff = 5.0\n");
  metal.replace(metal.find("[md]\n"), 5, "[md]\nunits = \"metal\"\n");
  metal.replace(metal.find("density = 0.8442"), 16, "constant = 3.61");
  CHECK(error_message(metal).find("this configuration has [eam]") != std::string::npos);
}

TEST_CASE("thermal conductivity: overlapping atoms in a sampled step end the run") {
  std::string text = melt_config(lennard_jones_pairs);
  text.replace(text.find("time_step = 0.005"), 17, "time_step = 0.05");
  text.replace(text.find("every = 2"), 9, "every = 1");
  for (const int ranks : {1, 2, 3})
    run_in_process(ranks, [&](Communicator comm) {
      ConfigFile file = ConfigFile::parse(text, "test.toml");
      MdModule module;
      configure(module, file);
      Context context{comm, gsim::test::test_executor(1)};
      context.seed = 7;
      (void)module.plan(context);
      module.prepare();
      module.advance(0, 40);
      const bool failed = comm.any(!module.health().empty());
      CHECK(failed);
      if (!module.health().empty()) CHECK(module.health().find("step ") != std::string::npos);
    });
}
