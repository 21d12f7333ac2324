// Benchmark of pair forces on LAMMPS's Lennard-Jones melt (32,000 atoms, density 0.8442, T = 1.44,
// cutoff 2.5, dt 0.005): atom-steps per second of a plain Verlet (leapfrog) loop without the
// engine, and the time of each of its parts.
//   benchmark_md_pairs [mixed|double] [steps] [threads] [skin] [potentials]
// `potentials` is one of
//   melt     one type of atoms
//   mixture  two types with practically the same forces, computed by the kernels for several types
//   charged  melt plus the damped shifted Coulomb force between small charges

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "src/modules/md/pair_forces/pair_forces.hpp"
#include "validation/performance/md_melt.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Sorts the atoms, so that neighbours in space are neighbours in memory.
void sort(Melt& melt, View<const std::int32_t> order) {
  const Melt old = melt;
  for (Index k = 0; k < order.size; ++k) {
    const auto from = static_cast<std::size_t>(order[k]), to = static_cast<std::size_t>(k);
    melt.positions[to] = old.positions[from];
    melt.types[to] = old.types[from];
    melt.charges[to] = old.charges[from];
    for (std::size_t a = 0; a < 3; ++a) melt.velocities[3 * to + a] = old.velocities[3 * from + a];
  }
}

struct Times {
  double lists = 0, load = 0, pairs = 0, collect = 0, integrate = 0;
  int rebuilds = 0;
};

class Loop {
 public:
  Loop(Melt& melt, PairForces& pairs) : melt_(melt), pairs_(pairs) { rebuild(); }

  void step(double dt) {
    const View<std::int64_t> forces{melt_.forces.data(), static_cast<Index>(melt_.forces.size())};
    double t = now();
    integrate(dt);
    t = lap(times.integrate, t);
    bool current = pairs_.load_positions(positions());
    t = lap(times.load, t);
    if (!current) {
      rebuild();
      current = pairs_.load_positions(positions());
      t = lap(times.lists, t);
    }
    std::fill(melt_.forces.begin(), melt_.forces.end(), 0);
    pairs_.compute_local_pairs(forces, /*with_sums=*/false);
    t = lap(times.pairs, t);
    pairs_.collect_forces(forces, sums_);
    lap(times.collect, t);
  }
  double energy() {
    ForceSums sums;
    std::vector<std::int64_t> forces(melt_.forces.size());
    const View<std::int64_t> to{forces.data(), static_cast<Index>(forces.size())};
    pairs_.compute_local_pairs(to, /*with_sums=*/true);
    pairs_.collect_forces(to, sums);
    double kinetic = 0;
    for (const double v : melt_.velocities) kinetic += 0.5 * v * v;
    ExactSum potential;
    for (const ExactSum& e : sums.energy) potential.add(e);
    return (kinetic + potential.value(0.5 * pairs_.quanta().energy)) /
           static_cast<double>(melt_.positions.size());
  }
  Times times;

 private:
  View<const FixedPosition> positions() const {
    return {melt_.positions.data(), static_cast<Index>(melt_.positions.size())};
  }
  /// Adds the time since `from` to `sum`; returns the present time.
  static double lap(double& sum, double from) {
    const double t = now();
    sum += t - from;
    return t;
  }
  PairAtoms atoms() const {
    const Index n = positions().size;
    return {positions(), n, {melt_.types.data(), n}, {melt_.charges.data(), n}, {}};
  }
  void rebuild() {
    pairs_.list_pairs(atoms(), nullptr);
    if (times.rebuilds++ % 10 == 0) {
      sort(melt_, pairs_.spatial_order());
      pairs_.list_pairs(atoms(), nullptr);
    }
  }
  /// Leapfrog: the half kicks at the end of a step and at the beginning of the next are combined.
  void integrate(double dt) {
    const double kick = dt * pairs_.quanta().force;
    const double drift = std::ldexp(dt / melt_.box.lengths()[0], 64);
    for (std::size_t k = 0; k < melt_.positions.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a) {
        double& v = melt_.velocities[3 * k + a];
        v += kick * static_cast<double>(melt_.forces[3 * k + a]);
        melt_.positions[k].x[a] += static_cast<std::uint64_t>(static_cast<std::int64_t>(v * drift));
      }
  }
  Melt& melt_;
  PairForces& pairs_;
  ForceSums sums_;
};

PairTable potentials(const std::string& word) {
  if (word == "mixture") {
    PairTable table({"A", "B"});
    // The cutoffs differ, so that the types are not merged, but too little to affect any pair.
    table.add(0, 0, lennard_jones(1, 1, 2.5));
    table.add(0, 1, lennard_jones(1, 1, 2.5 - 1e-9));
    table.add(1, 1, lennard_jones(1, 1, 2.5));
    return table;
  }
  PairTable table({"A"});
  table.add(0, 0, lennard_jones(1, 1, 2.5));
  if (word == "charged")
    table.add_charged({&potential_kind("damped_coulomb"), {1.0, 0.8}, 2.5, Smoothing::force_shift});
  return table;
}

}  // namespace

int main(int argc, char** argv) {
  const bool mixed = argc < 2 || std::string(argv[1]) != "double";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  const double skin = argc > 4 ? std::atof(argv[4]) : 0.3;
  Melt melt = make_melt(/*cells=*/20);
  const Executor executor = Executor::host(threads);
  const std::string system = argc > 5 ? argv[5] : "melt";
  const auto pairs =
      make_pair_forces(executor, melt.box, potentials(system),
                       {.skin = skin,
                        .precision = mixed ? PairPrecision::mixed : PairPrecision::float64,
                        .largest_charge = 0.1});
  Loop loop(melt, *pairs);
  for (int s = 0; s < 100; ++s) loop.step(0.005);  // equilibration, not measured
  loop.times = {};
  const double before = loop.energy(), start = now();
  for (int s = 0; s < steps; ++s) loop.step(0.005);
  const double seconds = now() - start, after = loop.energy();
  const double n = static_cast<double>(melt.positions.size()) * steps;
  std::printf(
      "%s %s %s skin %.2f: %.2f M atom-steps/s (ns: %.1f; pairs %.1f, lists %.1f, load %.1f, "
      "collect %.1f, integrate %.1f), %d rebuilds, %.2f cluster pairs per atom, energy %.5f "
      "-> %.5f\n",
      executor.describe().c_str(), mixed ? "mixed" : "double", system.c_str(), skin,
      n / seconds * 1e-6, seconds / n * 1e9, loop.times.pairs / n * 1e9, loop.times.lists / n * 1e9,
      loop.times.load / n * 1e9, loop.times.collect / n * 1e9, loop.times.integrate / n * 1e9,
      loop.times.rebuilds,
      static_cast<double>(pairs->list_entries()) / static_cast<double>(melt.positions.size()),
      before, after);
  return 0;
}
