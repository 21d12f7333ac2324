// Benchmark of embedded-atom forces on LAMMPS's copper benchmark (32,000 atoms, fcc with lattice
// constant 3.615 angstrom, T = 1600 K, dt 0.005 ps): atom-steps per second of a plain velocity
// Verlet loop without the engine, and the time of each of its parts.
//   benchmark_md_eam [mixed|double] [steps] [threads] [skin] [level] [funcfl file]
// Without a file, the potential is Sutton-Chen copper with the cutoff of LAMMPS's benchmark, 4.95
// angstrom.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <time.h>

#include "gsim/core/error.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/files/eam_file.hpp"
#include "src/modules/md/many_body/eam.hpp"
#include "src/modules/md/many_body/eam_kinds/sutton_chen.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

constexpr double lattice = 3.615, temperature = 1600, time_step = 0.005;

/// CPU time of this thread in seconds, which excludes other programs on a busy machine and other
/// threads of this one.
double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

EamFile read_potential(const char* path) {
  if (path == nullptr) {
    SuttonChen copper;
    copper.cutoff = 4.95;
    return tabulate(copper);
  }
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) throw IoError(std::string("cannot read ") + path);
  return read_eam(EamFormat::funcfl, text.str(), path);
}

struct Times {
  double lists = 0, load = 0, densities = 0, forces = 0, collect = 0, integrate = 0;
  int rebuilds = 0;
};

class Crystal {
 public:
  Crystal(const Executor& executor, int cells, const EamFile& file, double skin,
          PairPrecision precision)
      : box_({0, 0, 0}, {cells * lattice, cells * lattice, cells * lattice}),
        mass_(file.elements[0].mass),
        particles_(executor, {}),
        eam_(make_eam(executor, box_, make_eam_tables(file, std::array<std::size_t, 1>{0}),
                      {.skin = skin, .precision = precision}, particles_)),
        plan_(comm_) {
    fill(cells);
    rebuild();
    compute(/*with_sums=*/true);
  }

  void step() {
    double t = now();
    integrate();
    t = lap(times.integrate, t);
    const bool current = eam_->load_locals(context(false));
    t = lap(times.load, t);
    if (!current) {
      rebuild();
      lap(times.lists, t);
    }
    compute(/*with_sums=*/false);
  }
  Index atoms() const { return particles_.locals(); }
  const ShortRange& eam() const { return *eam_; }
  /// Embedding, pair and kinetic energy.
  std::array<double, 3> energies() {
    compute(/*with_sums=*/true);
    double kinetic = 0;
    for (const double v : velocities())
      kinetic += 0.5 * mass_ * v * v * units_of(UnitSystem::metal).energy_per_mv2;
    const double half = 0.5 * eam_->quanta().energy;
    return {sums_.energy[0].value(half), sums_.energy[1].value(half), kinetic};
  }
  Times times;

 private:
  ForceContext context(bool with_sums) { return {particles_, box_, plan_, comm_, with_sums}; }
  View<double> velocities() { return particles_.store.elements<double>(particles_.velocity); }
  View<std::int64_t> forces() { return particles_.store.elements<std::int64_t>(particles_.force); }
  /// Adds the time since `from` to `sum`; returns the present time.
  static double lap(double& sum, double from) {
    const double t = now();
    sum += t - from;
    return t;
  }

  void fill(int cells) {
    const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    particles_.store.resize_locals(Index{4} * cells * cells * cells);
    std::mt19937_64 random(1);
    const Units& u = units_of(UnitSystem::metal);
    // Uniform velocities of the right variance become Maxwellian after a few steps.
    const double range = std::sqrt(12 * u.boltzmann * temperature / (mass_ * u.energy_per_mv2));
    Index n = 0;
    for (int k = 0; k < cells * cells * cells; ++k)
      for (const auto& b : basis) {
        ImageCount image;
        particles_.positions()[n] =
            box_.to_fixed({lattice * (k % cells + b[0]), lattice * (k / cells % cells + b[1]),
                           lattice * (k / cells / cells + b[2])},
                          image);
        particles_.ids()[n] = n;
        for (int a = 0; a < 3; ++a)
          velocities()[3 * n + a] = range * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5);
        ++n;
      }
  }
  void rebuild() {
    eam_->rebuild(context(false));
    if (times.rebuilds++ % 10 == 0) {
      particles_.store.permute(eam_->spatial_order());
      eam_->rebuild(context(false));
    }
    if (!eam_->load_locals(context(false)))
      throw Error("new neighbour lists are already out of date");
  }
  void compute(bool with_sums) {
    double t = now();
    eam_->compute_locals(context(with_sums));
    t = lap(times.densities, t);
    eam_->compute_ghosts(context(with_sums));
    t = lap(times.forces, t);
    for (std::int64_t& f : forces()) f = 0;
    sums_ = {};
    eam_->collect(context(with_sums), sums_);
    lap(times.collect, t);
  }
  /// The kick that ends a step and the one that begins the next are combined: leapfrog.
  void integrate() {
    const double kick =
        time_step * eam_->quanta().force / mass_ * units_of(UnitSystem::metal).acceleration;
    const double drift = std::ldexp(time_step / box_.lengths()[0], 64);
    const View<double> v = velocities();
    const View<std::int64_t> f = forces();
    const View<FixedPosition> x = particles_.positions();
    for (Index k = 0; k < x.size; ++k)
      for (Index a = 0; a < 3; ++a) {
        v[3 * k + a] += kick * static_cast<double>(f[3 * k + a]);
        x[k].x[static_cast<std::size_t>(a)] +=
            static_cast<std::uint64_t>(static_cast<std::int64_t>(v[3 * k + a] * drift));
      }
  }

  Box box_;
  double mass_;
  Communicator comm_ = Communicator::self();
  Particles particles_;
  std::unique_ptr<ShortRange> eam_;
  HaloPlan plan_;
  ForceSums sums_;
};

}  // namespace

int main(int argc, char** argv) {
  const bool mixed = argc < 2 || std::string(argv[1]) != "double";
  const int steps = argc > 2 ? std::atoi(argv[2]) : 200;
  const int threads = argc > 3 ? std::atoi(argv[3]) : 1;
  const double skin = argc > 4 ? std::atof(argv[4]) : 1.0;
  Target level = best_cpu_target();
  for (const Target t : available_cpu_targets())
    if (argc > 5 && std::string(argv[5]) == to_string(t)) level = t;
  const Executor executor = Executor::host(threads, level);
  Crystal crystal(executor, /*cells=*/20, read_potential(argc > 6 ? argv[6] : nullptr), skin,
                  mixed ? PairPrecision::mixed : PairPrecision::float64);
  const auto initial = crystal.energies();
  for (int s = 0; s < 100; ++s) crystal.step();  // equilibration, not measured
  const auto before = crystal.energies();
  crystal.times = {};
  const double start = now();
  for (int s = 0; s < steps; ++s) crystal.step();
  const double seconds = now() - start;
  const Times t = crystal.times;
  const auto after = crystal.energies();
  const double atoms = static_cast<double>(crystal.atoms()), n = atoms * steps;
  std::printf(
      "%s %s skin %.2f: %.2f M atom-steps/s (ns: %.1f; densities %.1f, embedding and forces %.1f, "
      "lists %.1f, load %.1f, collect %.1f, integrate %.1f), %d rebuilds, %.2f cluster pairs per "
      "atom\nstep 0: embedding %.4f pair %.4f potential %.4f eV; energy per atom %.6f -> %.6f eV\n",
      executor.describe().c_str(), mixed ? "mixed" : "double", skin, n / seconds * 1e-6,
      seconds / n * 1e9, t.densities / n * 1e9, t.forces / n * 1e9, t.lists / n * 1e9,
      t.load / n * 1e9, t.collect / n * 1e9, t.integrate / n * 1e9, t.rebuilds,
      static_cast<double>(crystal.eam().list_entries()) / atoms, initial[0], initial[1],
      initial[0] + initial[1], (before[0] + before[1] + before[2]) / atoms,
      (after[0] + after[1] + after[2]) / atoms);
  return 0;
}
