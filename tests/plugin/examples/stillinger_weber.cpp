// Compares Stillinger-Weber silicon with the formulas of the paper, summed over all triples of
// atoms in long double (forces by finite differences); checks that the number of ranks and threads
// and the CPU level change no bit; runs the module, stopped and resumed.

#include "stillinger_weber.hpp"

#include <array>
#include <cmath>
#include <mutex>
#include <random>

#include <doctest/doctest.h>

#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/many_body/three_body_forces.hpp"
#include "src/modules/md/md_module.hpp"
#include "support/module_runs.hpp"
#include "support/test_executor.hpp"
#include "unit/md/pair_forces/pair_systems.hpp"

GSIM_DECLARE_THREE_BODY_LAUNCHERS(stillinger_weber)

using namespace gsim;
using namespace gsim::md;
using namespace gsim::test;

namespace {

const ThreeBodyKind& kind() {
  static const ThreeBodyKind silicon_kind =
      GSIM_THREE_BODY_POTENTIAL(stillinger_weber, StillingerWeber);
  return silicon_kind;
}

ThreeBodyConfig silicon() {
  ThreeBodyConfig config;
  config.kind = &kind();
  for (const PotentialParameter& p : kind().parameters)
    config.parameters.push_back(p.default_value);
  config.closest = kind().closest(config.parameters.data());
  return config;
}

struct Silicon {
  Box box;
  std::vector<FixedPosition> positions;
};

/// A diamond crystal with atoms displaced by up to `noise` along each axis.
Silicon crystal(const Box& box, int cells, double noise) {
  Silicon atoms{box, {}};
  std::mt19937_64 random(5);
  for (const double shift : {0.0, 0.25 * box.lengths()[0] / cells})
    each_fcc_site(
        box, cells, 1,
        [&] { return shift + 2 * noise * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5); },
        [&](const FixedPosition& p) { atoms.positions.push_back(p); });
  return atoms;
}

// --- reference: all triples of atoms

using Long = long double;
struct Displacement {
  std::size_t atom = 0;
  int axis = 0;
  Long by = 0;
  // if row >= 0: no atom is moved, but the strain component (row, column) is `by`
  int row = -1, column = 0;
};

struct Energies {
  Long pair = 0, three_body = 0;
};

/// The energies with the parameters of silicon (Stillinger and Weber 1985) in eV and Angstrom.
Energies all_triples(const Silicon& atoms, const Displacement& displacement) {
  const Long epsilon = 2.1683, sigma = 2.0951, A = 7.049556277, B = 0.6022245584, a = 1.8,
             lambda = 21, gamma = 1.2;
  const std::size_t n = atoms.positions.size();
  Energies sum;
  std::vector<std::array<Long, 4>> near;  // vectors to neighbours, and their lengths over sigma
  for (std::size_t i = 0; i < n; ++i) {
    near.clear();
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const auto d = atoms.box.difference(atoms.positions[j], atoms.positions[i]);
      std::array<Long, 4> x{d[0], d[1], d[2], 0};
      const auto axis = static_cast<std::size_t>(displacement.axis);
      if (displacement.row >= 0)
        x[static_cast<std::size_t>(displacement.row)] +=
            displacement.by * static_cast<Long>(d[static_cast<std::size_t>(displacement.column)]);
      else if (j == displacement.atom)
        x[axis] += displacement.by;
      else if (i == displacement.atom)
        x[axis] -= displacement.by;
      x[3] = std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / sigma;
      if (x[3] < a) near.push_back(x);
    }
    for (std::size_t k = 0; k < near.size(); ++k) {
      const Long r = near[k][3];
      sum.pair += epsilon * A * (B / (r * r * r * r) - 1) * std::exp(1 / (r - a)) / 2;
      for (std::size_t l = 0; l < k; ++l) {
        const Long s = near[l][3];
        const Long cosine =
            (near[k][0] * near[l][0] + near[k][1] * near[l][1] + near[k][2] * near[l][2]) /
            (r * s * sigma * sigma);
        sum.three_body += epsilon * lambda * std::exp(gamma / (r - a) + gamma / (s - a)) *
                          (cosine + Long(1) / 3) * (cosine + Long(1) / 3);
      }
    }
  }
  return sum;
}

/// Minus the derivative of the energy with respect to the displacement (fourth-order differences).
Long force(const Silicon& atoms, Displacement displacement) {
  const auto energy = [&](Long by) {
    displacement.by = by;
    const Energies e = all_triples(atoms, displacement);
    return e.pair + e.three_body;
  };
  const Long h = 2e-4L;
  return -(8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
}

// --- the force calculation

struct Options {
  int ranks = 1, threads = 1;
  PairPrecision precision = PairPrecision::mixed;
  Target level = available_cpu_targets().front();
  const Box* list_box = nullptr;  ///< the box when neighbour lists are built, if not the atoms' box
};

struct Result : PairResult {
  ForceQuanta quanta;
  bool are_lists_good = false;  ///< the lists cannot miss pairs (load_locals())
};

/// Energies and virial of the whole system, and the forces on all atoms by id. Collective.
Result on_rank(const Communicator& comm, const Silicon& atoms, const Options& o) {
  const ThreeBodyConfig config = silicon();
  const Box& list_box = o.list_box != nullptr ? *o.list_box : atoms.box;
  const Executor executor = gsim::test::tests_on_device() ? gsim::test::test_executor(o.threads)
                                                          : Executor::host(o.threads, o.level);
  Particles p(executor, {});
  const auto forces = make_three_body_forces(executor, list_box, config, {0.3, o.precision});
  const ForceQuanta quanta{0x1p-40, 0x1p-38};
  forces->set_quanta(quanta);
  const auto own =
      partition({0, static_cast<Index>(atoms.positions.size())}, comm.size(), comm.rank());
  p.store.make_locals(own);  // all of type 0
  p.store.assign(p.store.position(), std::vector(atoms.positions.begin() + own.first,
                                                 atoms.positions.begin() + own.last));
  const Decomposition bricks(list_box, comm.size());
  Migrator(comm, executor, BufferPath::host).migrate(p.store, bricks);
  HaloPlan plan(comm);
  plan.build(p.store, list_box, bricks, forces->ghost_reach() + 0.3);
  forces->rebuild({p, list_box, plan, comm, true});
  const ForceContext context{p, atoms.box, plan, comm, true};
  forces->box_changed(atoms.box);
  Result r;
  r.are_lists_good = forces->load_locals(context);
  const View<std::int64_t> force = p.store.elements<std::int64_t>(p.force);
  executor.fill_zero(force.data, static_cast<std::size_t>(force.size) * 8);
  forces->compute_locals(context);
  forces->compute_ghosts(context);
  forces->collect(context, r.sums);
  forces->check();
  r.quanta = quanta;
  using Force = std::array<std::int64_t, 3>;
  const auto own_ids = p.store.to_host<std::int64_t>(p.store.id());
  const auto own_forces = p.store.to_host<Force>(p.force);
  const auto ids = comm.allgather(std::span<const std::int64_t>(own_ids));
  const auto all = comm.allgather(std::span<const Force>(own_forces));
  r.forces.resize(3 * all.size());
  for (std::size_t k = 0; k < ids.size(); ++k)
    for (std::size_t a = 0; a < 3; ++a)
      r.forces[3 * static_cast<std::size_t>(ids[k]) + a] = all[k][a];
  comm.sum(r.sums.energy);
  comm.sum(r.sums.virial);
  return r;
}

Result compute(const Silicon& atoms, const Options& o) {
  Result result;
  std::mutex lock;
  run_in_process(o.ranks, [&](Communicator comm) {
    const Result mine = on_rank(comm, atoms, o);
    const std::lock_guard guard(lock);
    result = mine;
  });
  return result;
}

const Box cube({0, 0, 0}, {16.5, 16.5, 16.5});
const Box tilted({1, 2, 3}, {17.6, 17.0, 16.8}, {2.1, -1.4, 2.0});

// --- the module

Extensions with_three_body() {
  Extensions extensions = builtin_extensions();
  extensions.three_body = {&kind()};
  return extensions;
}

class SiliconModule : public MdModule {
 public:
  SiliconModule() : MdModule(with_three_body()) {}
};

std::string config(const std::string& more, const char* precision = "mixed") {
  return "[md]\nunits = \"metal\"\nsteps = 40\ntime_step = 0.001\nskin = 0.4\n"
         "precision = \"" +
         std::string(precision) +
         "\"\n[[type]]\nname = \"Si\"\nmass = 28.0855\n[start]\nkind = \"lattice\"\n"
         "lattice = \"diamond\"\nconstant = 5.431\ncells = [3, 4, 3]\ntemperature = 5000.0\n" +
         more;
}

}  // namespace

TEST_CASE("stillinger_weber: energies, forces and virial equal the sum over all triples") {
  for (const Box* box : {&cube, &tilted}) {
    const Silicon atoms = crystal(*box, 3, 0.35);
    const Energies expected = all_triples(atoms, {});
    for (const PairPrecision precision : {PairPrecision::float64, PairPrecision::mixed}) {
      const bool is_mixed = precision == PairPrecision::mixed;
      CAPTURE(is_mixed);
      const Result computed = compute(atoms, {1, 2, precision});
      const auto to_energy = [&](const ExactSum& sum) {
        return sum.value(0.5 * computed.quanta.energy);
      };
      const double tolerance = is_mixed ? 1e-6 : 1e-10;
      const auto scale = std::abs(static_cast<double>(expected.pair));
      CHECK(expected.three_body > 30);
      CHECK(std::abs(to_energy(computed.sums.energy[0]) - static_cast<double>(expected.pair)) <
            tolerance * scale);
      CHECK(std::abs(to_energy(computed.sums.energy[1]) -
                     static_cast<double>(expected.three_body)) < tolerance * scale);
      double largest = 0, worst = 0;
      for (std::size_t k = 0; k < 20; ++k)
        for (int a = 0; a < 3; ++a) {
          const std::size_t atom = k * 37 % atoms.positions.size();
          const auto f = static_cast<double>(force(atoms, {atom, a}));
          const double force_component =
              static_cast<double>(computed.forces[3 * atom + static_cast<std::size_t>(a)]) *
              computed.quanta.force;
          largest = std::max(largest, std::abs(f));
          worst = std::max(worst, std::abs(force_component - f));
        }
      CHECK(largest > 5);
      CHECK(worst < (is_mixed ? 2e-5 : 1e-9) * largest);
      constexpr int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
      for (int v = 0; v < 6; ++v) {
        const auto w = static_cast<double>(force(atoms, {0, 0, 0, row[v], column[v]}));
        CHECK(std::abs(to_energy(computed.sums.virial[v]) - w) < 4 * tolerance * scale);
      }
    }
  }
}

TEST_CASE(
    "stillinger_weber: the same bits with any number of ranks and threads at every CPU level") {
  const Silicon atoms = crystal(tilted, 3, 0.35);
  for (const PairPrecision precision : {PairPrecision::float64, PairPrecision::mixed}) {
    const Result whole = compute(atoms, {1, 1, precision});
    for (const int ranks : {2, 3, 4, 7}) {
      CAPTURE(ranks);
      CHECK(compute(atoms, {ranks, ranks == 2 ? 3 : 1, precision}) == whole);
    }
    for (const Target level : available_cpu_targets())
      CHECK(compute(atoms, {2, 2, precision, level}) == whole);
  }
}

TEST_CASE("stillinger_weber: neighbour lists expire before a shrinking box makes them incomplete") {
  // Ghost atoms extend to two cutoffs plus the skin, 7.54 + 0.3: none is missing until the box has
  // shrunk by 4 %. (With a range of one cutoff it would be 8 %.)
  const auto shrunk_to = [](double factor) {
    const double side = 16.5 * factor;
    return crystal(Box({0, 0, 0}, {side, side, side}), 3, 0.35);
  };
  for (const int ranks : {1, 3}) {
    CAPTURE(ranks);
    Options o{ranks};
    const Silicon by_3_percent = shrunk_to(0.97), by_5_percent = shrunk_to(0.95);
    const Result new_lists = compute(by_3_percent, o);
    CHECK(new_lists.are_lists_good);
    o.list_box = &cube;
    const Result old_lists = compute(by_3_percent, o);
    CHECK(old_lists.are_lists_good);
    CHECK(old_lists == new_lists);
    CHECK_FALSE(compute(by_5_percent, o).are_lists_good);
  }
}

TEST_CASE(
    "stillinger_weber: the three-body energy vanishes smoothly at the cutoff; a jump is an error") {
  std::vector<double> p = silicon().parameters;
  constexpr std::size_t gamma = 8;  // index of the parameter gamma
  CHECK(kind().problem(p.data()) == nullptr);
  p[gamma] = 0.024;
  REQUIRE(kind().problem(p.data()) != nullptr);
  CHECK(std::string(kind().problem(p.data())).find("step at the cutoff") != std::string::npos);
  p[gamma] = 0.025;
  REQUIRE(kind().problem(p.data()) == nullptr);
  double c[md_kernels::StillingerWeber::size];
  kind().coefficients(p.data(), 1, c);
  const double end = kind().cutoff(p.data()) * (1 - 1e-9), near = 0.8 * end;
  CHECK(kind().three_body(near, near, 1, c).energy > 50);
  CHECK(kind().three_body(end, near, 1, c).energy < 1e-40);
  CHECK(std::abs(kind().three_body(end, near, 1, c).by_r1) < 1e-36);
}

TEST_CASE("stillinger_weber: missing() reports each function that a potential lacks") {
  const auto is_reported = [](auto member) {
    ThreeBodyKind incomplete = kind();
    incomplete.*member = nullptr;
    return incomplete.missing() != nullptr;
  };
  CHECK(kind().missing() == nullptr);
  CHECK(is_reported(&ThreeBodyKind::problem));
  CHECK(is_reported(&ThreeBodyKind::coefficients));
  CHECK(is_reported(&ThreeBodyKind::cutoff));
  CHECK(is_reported(&ThreeBodyKind::closest));
  CHECK(is_reported(&ThreeBodyKind::pair));
  CHECK(is_reported(&ThreeBodyKind::three_body));
  CHECK(is_reported(&ThreeBodyKind::forces_f32));
  CHECK(is_reported(&ThreeBodyKind::forces_f64));
}

TEST_CASE("stillinger_weber: all forces add up to exactly zero") {
  const Result computed = compute(crystal(cube, 3, 0.4), {3, 1, PairPrecision::mixed});
  std::array<std::int64_t, 3> sum{};
  for (std::size_t k = 0; k < computed.forces.size(); ++k) sum[k % 3] += computed.forces[k];
  CHECK(sum == std::array<std::int64_t, 3>{});
}

TEST_CASE("stillinger_weber: runs have the same bits on any number of ranks, and when resumed") {
  for (const char* precision : {"mixed", "double"}) {
    const std::string text =
        config("[triplet]\nkind = \"stillinger_weber\"\n[thermo]\nevery = 10\n", precision);
    const Outcome whole = run<SiliconModule>(text, 1, 0, 40, 40);
    for (const int ranks : {2, 7})
      check_outcome_is_reproduced<SiliconModule>(text, whole, ranks, 40, 7, 15);
  }
}

TEST_CASE("stillinger_weber: invalid parameters are errors") {
  const std::string three_body = "[triplet]\nkind = \"stillinger_weber\"\n";
  CHECK(config_error_message<SiliconModule>(config(three_body)) == "");
  const auto check_error = [&](const std::string& more, const char* expected) {
    const std::string message = config_error_message<SiliconModule>(config(more));
    CAPTURE(message);
    CHECK(message.find(expected) != std::string::npos);
  };
  CHECK(config_error_message<MdModule>(config(three_body))
            .find("no plugin that defines three-body potentials") != std::string::npos);
  check_error(three_body + "gamma = 0.01\n", "gamma must be at least");
  check_error(three_body + "p = 4.5\n", "whole numbers");
  check_error(three_body + "q = 4\n", "p must be above q");
  check_error(three_body + "closest = 3.9\n", "not between 0 and the cutoff");
  check_error(three_body + "sigma = 2.8\n", "two cutoffs");
  check_error(three_body +
                  "[pair]\ncutoff = 3.0\n[[pair.potential]]\nkind = \"wca\"\nepsilon = 1.0\n"
                  "sigma = 1.0\n",
              "both given");
  std::string real = config(three_body);
  real.replace(real.find("metal"), 5, "real");
  CHECK(config_error_message<SiliconModule>(real).find("units = \"metal\" only") !=
        std::string::npos);
}

TEST_CASE("stillinger_weber: overlapping atoms are an error that names them") {
  Silicon atoms = crystal(cube, 3, 0);
  ImageCount image;
  Vector3 near = atoms.box.to_cartesian(atoms.positions[5]);
  near[0] += 0.3;
  atoms.positions[11] = atoms.box.to_fixed(near, image);
  std::string message;
  try {
    compute(atoms, {1, 1, PairPrecision::mixed});
  } catch (const NumericalError& error) {
    message = error.what();
  }
  CHECK(message.find("atom 5 and another one") != std::string::npos);
}
