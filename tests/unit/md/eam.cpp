// Embedded atoms against sums over all pairs in long double with the same tables, against the
// gradient of their energy and closed forms, and against themselves: lists, levels, threads, order
// of atoms and ranks must not change a bit.

#include "src/modules/md/eam/eam.hpp"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/migrator.hpp"
#include "src/modules/md/eam/sutton_chen.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

struct Atoms {
  Box box{{0, 0, 0}, {1, 1, 1}};
  std::vector<FixedPosition> positions;
  std::vector<std::int32_t> types;
};

/// An fcc crystal of edge `a`, atoms displaced by up to `noise`, every `every`th one of type 1.
Atoms crystal(const Box& box, int cells, double noise, int every = 0) {
  Atoms atoms{box, {}, {}};
  std::mt19937_64 random(11);
  const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const auto away = [&] {
    return 2 * noise * (static_cast<double>(random() >> 11) * 0x1p-53 - 0.5);
  };
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const auto& b : basis) {
      const double s[3] = {(k % cells + b[0]) / cells, (k / cells % cells + b[1]) / cells,
                           (k / cells / cells + b[2]) / cells};
      const auto& l = box.lengths();
      const auto& t = box.tilts();
      ImageCount image;
      atoms.types.push_back(every > 0 && static_cast<int>(atoms.types.size()) % every == 0 ? 1 : 0);
      atoms.positions.push_back(
          box.to_fixed({s[0] * l[0] + s[1] * t[0] + s[2] * t[1] + away(),
                        s[1] * l[1] + s[2] * t[2] + away(), s[2] * l[2] + away()},
                       image));
    }
  return atoms;
}

const Box cube({0, 0, 0}, {14.44, 14.44, 14.44});
const Box tilted({1, 2, 3}, {14.6, 14.5, 14.3}, {2.1, -1.4, 3.0});
const Box open_box({-2, -2, -2}, {19, 14.44, 19}, {},
                   {Boundary::open, Boundary::periodic, Boundary::open});

EamTables copper() {
  SuttonChen p;
  p.cutoff = 5.6;
  return make_eam_tables(tabulate(p), std::array<std::size_t, 1>{0});
}

/// Two made-up metals; `fs`: the density depends on both atoms of a pair.
EamTables alloy(bool fs) {
  constexpr std::size_t points = 600;
  EamFile file;
  file.cutoff = 5.2;
  file.r_step = 5.2 / (points - 1);
  file.rho_step = 0.05;
  file.elements.resize(2);
  const auto table = [](double step, std::size_t count, const auto& f) {
    std::vector<double> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = f(static_cast<double>(k) * step);
    return values;
  };
  const auto end = [&](double r) { return (5.2 - r) * (5.2 - r) / 16; };
  for (std::size_t i = 0; i < 2; ++i) {
    EamElement& e = file.elements[i];
    const auto own = static_cast<double>(i);
    e.embedding = table(file.rho_step, 2000, [&](double rho) {
      return -(1.5 + 0.4 * own) * std::sqrt(rho + 0.1) + 0.01 * rho;
    });
    for (std::size_t j = 0; j < (fs ? 2u : 1u); ++j)
      e.density.push_back(table(file.r_step, points, [&](double r) {
        return (1 + 0.7 * own + 0.3 * static_cast<double>(j)) * std::exp(1.1 * (2.5 - r)) * end(r);
      }));
    for (std::size_t j = 0; j <= i; ++j)
      file.r_phi.push_back(table(file.r_step, points, [&](double r) {
        const double reach = 2.4 + 0.2 * static_cast<double>(i + j);
        return r * 0.4 * std::exp(3 * (reach - r)) * end(r);
      }));
  }
  return make_eam_tables(file, std::array<std::size_t, 2>{0, 1});
}

struct Options {
  int ranks = 1;
  Executor executor = Executor::host(1);
  double skin = 0.5;
  PairPrecision precision = PairPrecision::mixed;
  bool shuffled = false;
  ForceQuanta quanta = {};
};

struct Result {
  std::vector<std::int64_t> forces;  // by id
  ForceSums sums;
  ForceQuanta quanta;
  bool operator==(const Result& b) const {
    return forces == b.forces && sums.energy == b.sums.energy &&
           std::equal(sums.virial, sums.virial + 6, b.sums.virial);
  }
};

/// One rank of a system whose atoms stand still.
class Rank {
 public:
  Rank(const Communicator& comm, const Atoms& atoms, const EamTables& tables, const Options& o)
      : comm_(comm),
        box_(atoms.box),
        bricks_(box_, comm_.size()),
        particles_(o.executor, {}),
        eam_(o.executor, box_, tables, o.skin, o.precision, particles_),
        plan_(comm_) {
    if (o.quanta.force > 0) eam_.set_quanta(o.quanta);
    fill(atoms, o.shuffled);
    Migrator(comm_, o.executor, BufferPath::host).migrate(particles_.store, bricks_);
    plan_.build(particles_.store, box_, bricks_, tables.cutoff + o.skin);
    eam_.rebuild(context(true));
    CHECK(eam_.load_locals(context(true)));
  }

  Result compute(bool with_sums) {
    const ForceContext c = context(with_sums);
    const View<std::int64_t> force = particles_.store.elements<std::int64_t>(particles_.force);
    for (std::int64_t& f : force) f = 0;
    eam_.compute_locals(c);
    eam_.compute_ghosts(c);
    Result r;
    eam_.collect(c, r.sums);
    r.quanta = eam_.quanta();
    const View<std::int64_t> ids = particles_.ids();
    const auto all_ids = comm_.allgather(std::span<const std::int64_t>(ids.data, local_count()));
    const auto all = comm_.allgather(std::span<const std::int64_t>(force.data, 3 * local_count()));
    r.forces.resize(all.size());
    for (std::size_t k = 0; k < all_ids.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a)
        r.forces[3 * static_cast<std::size_t>(all_ids[k]) + a] = all[3 * k + a];
    comm_.sum(r.sums.energy);
    comm_.sum(r.sums.virial);
    return r;
  }

 private:
  std::size_t local_count() const { return static_cast<std::size_t>(particles_.locals()); }
  ForceContext context(bool with_sums) { return {particles_, box_, plan_, comm_, with_sums}; }

  void fill(const Atoms& atoms, bool shuffled) {
    std::vector<std::size_t> order(atoms.positions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(3);
    if (shuffled)
      for (std::size_t k = order.size() - 1; k > 0; --k)
        std::swap(order[k], order[random() % (k + 1)]);
    const auto mine = partition({0, static_cast<Index>(order.size())}, comm_.size(), comm_.rank());
    particles_.store.resize_locals(mine.size());
    for (Index i = 0; i < mine.size(); ++i) {
      const std::size_t k = order[static_cast<std::size_t>(mine.first + i)];
      particles_.positions()[i] = atoms.positions[k];
      particles_.ids()[i] = static_cast<std::int64_t>(k);
      particles_.store.elements<std::int32_t>(particles_.type)[i] = atoms.types[k];
    }
  }

  Communicator comm_;
  Box box_;
  Decomposition bricks_;
  Particles particles_;
  Eam eam_;
  HaloPlan plan_;
};

Result compute(const Atoms& atoms, const EamTables& tables, const Options& o) {
  Result result;
  std::mutex lock;
  run_in_process(o.ranks, [&](Communicator comm) {
    Rank rank(comm, atoms, tables, o);
    const Result with_sums = rank.compute(true), without = rank.compute(false);
    const std::lock_guard guard(lock);
    CHECK(without.forces == with_sums.forces);
    CHECK(without.sums.energy[0] == ExactSum());
    CHECK(without.sums.virial[0] == ExactSum());
    result = with_sums;
  });
  return result;
}

long double energy(const Result& r, std::size_t part) {
  return static_cast<long double>(r.sums.energy[part].value(0.5 * r.quanta.energy));
}

struct Reference {
  std::vector<long double> forces;
  long double embedding = 0, pair = 0, virial[6] = {};
};
struct Value {
  long double value, slope;
};
Value look_up(const CubicTable& table, long double x) {
  const long double u = x / table.step();
  const auto k = std::min(static_cast<std::size_t>(u), table.intervals().size() - 1);
  const auto& c = table.intervals()[k];
  const long double t = u - static_cast<long double>(k);
  return {((c[0] * t + c[1]) * t + c[2]) * t + c[3],
          ((3 * c[0] * t + 2 * c[1]) * t + c[2]) / table.step()};
}

Reference all_pairs(const Atoms& atoms, const EamTables& tables) {
  const std::size_t n = atoms.positions.size();
  Reference r{std::vector<long double>(3 * n, 0.0L)};
  std::vector<long double> rho(n, 0.0L);
  const auto for_pairs = [&](const auto& visit) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) {
        const auto d = atoms.box.difference(atoms.positions[i], atoms.positions[j]);
        const long double x[3] = {d[0], d[1], d[2]};
        const long double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        if (r2 < static_cast<long double>(tables.cutoff) * tables.cutoff)
          visit(i, j, x, std::sqrt(r2));
      }
  };
  const auto type = [&](std::size_t i) {
    return tables.types() == 1 ? std::size_t{0} : static_cast<std::size_t>(atoms.types[i]);
  };
  for_pairs([&](std::size_t i, std::size_t j, const long double*, long double distance) {
    rho[i] += look_up(tables.density_of(type(j), type(i)), distance).value;
    rho[j] += look_up(tables.density_of(type(i), type(j)), distance).value;
  });
  std::vector<long double> slope(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Value f = look_up(tables.embedding[type(i)], rho[i]);
    r.embedding += f.value;
    slope[i] = f.slope;
  }
  for_pairs([&](std::size_t i, std::size_t j, const long double* x, long double distance) {
    const Value z = look_up(tables.r_phi_of(type(i), type(j)), distance);
    const long double phi = z.value / distance;
    r.pair += phi;
    const long double f =
        -(slope[i] * look_up(tables.density_of(type(j), type(i)), distance).slope +
          slope[j] * look_up(tables.density_of(type(i), type(j)), distance).slope +
          (z.slope - phi) / distance) /
        distance;
    constexpr int a[6] = {0, 1, 2, 0, 0, 1}, b[6] = {0, 1, 2, 1, 2, 2};
    for (int v = 0; v < 6; ++v) r.virial[v] += x[a[v]] * x[b[v]] * f;
    for (std::size_t k = 0; k < 3; ++k) {
      r.forces[3 * i + k] += f * x[k];
      r.forces[3 * j + k] -= f * x[k];
    }
  });
  return r;
}

/// Forces within some quanta and `tolerance` times the largest, energies and virials relative to
/// the energy.
void check_against_all_pairs(const Atoms& atoms, const EamTables& tables, PairPrecision precision,
                             double tolerance) {
  Options o;
  o.precision = precision;
  const Result found = compute(atoms, tables, o);
  const Reference expected = all_pairs(atoms, tables);
  double worst = 0, largest = 0;
  for (std::size_t k = 0; k < found.forces.size(); ++k) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.forces[k])));
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(found.forces[k]) *
                                                             found.quanta.force -
                                                         expected.forces[k])));
  }
  CAPTURE(largest);
  CAPTURE(worst / largest);
  CHECK(largest > 1);
  // About 50 pairs, each rounded to a quantum: a standard deviation of two quanta.
  const double quantum = precision == PairPrecision::mixed ? 0x1p-21 : found.quanta.force;
  CHECK(worst < 10 * quantum + tolerance * largest);
  const long double scale = std::abs(expected.embedding);
  const auto relative = [&](long double difference) {
    return static_cast<double>(std::abs(difference) / scale);
  };
  CHECK(relative(energy(found, 0) - expected.embedding) < tolerance);
  CHECK(relative(energy(found, 1) - expected.pair) < tolerance);
  for (int v = 0; v < 6; ++v)
    CHECK(relative(static_cast<long double>(found.sums.virial[v].value(0.5 * found.quanta.energy)) -
                   expected.virial[v]) < 4 * tolerance);
}

}  // namespace

TEST_CASE("eam: forces, energies and virials agree with a sum over all pairs") {
  for (const Box* box : {&cube, &tilted, &open_box}) {
    CAPTURE(box->is_triclinic());
    const Atoms one = crystal(*box, 4, 0.25), two = crystal(*box, 4, 0.25, 3);
    for (const PairPrecision precision : {PairPrecision::float64, PairPrecision::mixed}) {
      // Double: positions of 52 bits, quanta of 1e-12 eV/angstrom. Mixed: float.
      const double tolerance = precision == PairPrecision::float64 ? 1e-11 : 1e-6;
      check_against_all_pairs(one, copper(), precision, tolerance);
      check_against_all_pairs(two, alloy(false), precision, tolerance);
      check_against_all_pairs(two, alloy(true), precision, tolerance);
    }
  }
}

TEST_CASE("eam: neither lists nor levels, threads, order or ranks change a bit") {
  const Atoms atoms = crystal(tilted, 4, 0.25, 3);
  for (const EamTables& tables : {copper(), alloy(true)})
    for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
      Options o;
      o.precision = precision;
      const Result expected = compute(atoms, tables, o);
      for (const Target level : available_cpu_targets())
        for (const int threads : {1, 3}) {
          CAPTURE(to_string(level));
          CAPTURE(threads);
          Options other = o;
          other.executor = Executor::host(threads, level);
          CHECK(compute(atoms, tables, other) == expected);
        }
      for (const double skin : {0.0, 0.2, 1.0}) {
        Options other = o;
        other.skin = skin;
        CHECK(compute(atoms, tables, other) == expected);
      }
      for (const int ranks : {1, 2, 3, 5})
        for (const bool shuffled : {false, true}) {
          CAPTURE(ranks);
          Options other = o;
          other.ranks = ranks;
          other.shuffled = shuffled;
          CHECK(compute(atoms, tables, other) == expected);
        }
    }
}

TEST_CASE("eam: quanta of the run need not be the engine's own") {
  const Atoms atoms = crystal(cube, 4, 0.25, 3);
  Options o;
  const Result own = compute(atoms, alloy(true), o);
  CHECK(own.quanta == ForceQuanta{0x1p-40, 0x1p-38});
  o.quanta = {0x1p-30, 0x1p-28};
  const Result coarser = compute(atoms, alloy(true), o);
  for (std::size_t k = 0; k < own.forces.size(); ++k)
    REQUIRE(own.forces[k] == coarser.forces[k] * 1024);  // both whole numbers of 2^-21 eV/angstrom
  CHECK(own.sums.energy[1].value(1) == 1024 * coarser.sums.energy[1].value(1));
  CHECK(std::abs(static_cast<double>(energy(own, 0) - energy(coarser, 0))) < 1e-6);
  o.quanta = {0x1p-41, 0x1p-38};
  CHECK_THROWS_AS(compute(atoms, alloy(true), o), InputError);
}

TEST_CASE("eam: forces are the negative gradient of the energy") {
  for (const EamTables& tables : {copper(), alloy(true)}) {
    const Atoms atoms = crystal(cube, 4, 0.25, 3);
    Options o;
    o.precision = PairPrecision::float64;
    const Result middle = compute(atoms, tables, o);
    for (const std::size_t atom : {std::size_t{0}, std::size_t{100}, std::size_t{255}})
      for (std::size_t a = 0; a < 3; ++a) {
        long double u[2];
        const double h = 1e-4;
        for (const int side : {0, 1}) {
          Atoms moved = atoms;
          const double fraction = (side == 0 ? -h : h) / cube.lengths()[a];
          moved.positions[atom].x[a] +=
              static_cast<std::uint64_t>(static_cast<std::int64_t>(std::ldexp(fraction, 64)));
          const Result r = compute(moved, tables, o);
          u[side] = energy(r, 0) + energy(r, 1);
        }
        const double force = static_cast<double>(middle.forces[3 * atom + a]) * middle.quanta.force;
        // h^2 / 6 times the third derivative, some 100 eV/angstrom^3.
        CHECK(std::abs(static_cast<double>((u[0] - u[1]) / (2 * h)) - force) < 1e-6);
      }
  }
}

TEST_CASE("eam: the energy of a Sutton-Chen crystal is its lattice sum") {
  // Copper: epsilon = 12.382 meV, a = 3.61 angstrom, c = 39.432, n = 9, m = 6.
  const double lattice = 3.5, cutoff = 5.6, start = 0.9 * cutoff;
  const Atoms atoms = crystal(Box({0, 0, 0}, {4 * lattice, 4 * lattice, 4 * lattice}), 4, 0);
  long double pair = 0, density = 0;
  for (int x = -4; x <= 4; ++x)
    for (int y = -4; y <= 4; ++y)
      for (int z = -4; z <= 4; ++z) {
        const long double r =
            0.5L * lattice * std::sqrt(static_cast<long double>(x * x + y * y + z * z));
        if ((x + y + z) % 2 != 0 || r == 0 || r >= cutoff) continue;
        const long double s = r > start ? (r - start) / (cutoff - start) : 0;
        const long double factor = 1 - s * s * s * (10 - 15 * s + 6 * s * s);
        pair += 0.5L * factor * 12.382e-3L * std::pow(3.61L / r, 9.0L);
        density += factor * std::pow(3.61L / r, 6.0L);
      }
  const long double embedding = -12.382e-3L * 39.432L * std::sqrt(density);
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64}) {
    Options o;
    o.precision = precision;
    o.ranks = 2;
    const Result r = compute(atoms, copper(), o);
    // The tables' interpolation: 5e-10 relative.
    const double tolerance = precision == PairPrecision::mixed ? 1e-6 : 5e-9;
    CHECK(static_cast<double>(energy(r, 0) / 256) ==
          doctest::Approx(static_cast<double>(embedding)).epsilon(tolerance));
    CHECK(static_cast<double>(energy(r, 1) / 256) ==
          doctest::Approx(static_cast<double>(pair)).epsilon(tolerance));
    for (const std::int64_t f : r.forces)
      CHECK(std::abs(static_cast<double>(f) * r.quanta.force) < 1e-5);
  }
}

// The file itself is not ours to hand on. Debian's lammps-data has it, or name it in GSIM_CU_U3.
TEST_CASE("eam: Foiles, Baskes and Daw's copper (1986) has its published crystal") {
  const char* named = std::getenv("GSIM_CU_U3");
  const std::string path = named != nullptr ? named : "/usr/share/lammps/potentials/Cu_u3.eam";
  std::ifstream in(path);
  if (!in) {
    MESSAGE("not tested: no file ", path);
    return;
  }
  std::ostringstream text;
  text << in.rdbuf();
  const EamTables tables =
      make_eam_tables(read_eam(EamFormat::funcfl, text.str(), path), std::array<std::size_t, 1>{0});
  const auto energy_of = [&](double lattice, PairPrecision precision, double* pressure) {
    const double edge = 4 * lattice;
    Options o;
    o.precision = precision;
    const Result r = compute(crystal(Box({0, 0, 0}, {edge, edge, edge}), 4, 0), tables, o);
    if (pressure != nullptr) {
      double virial = 0;
      for (int v = 0; v < 3; ++v) virial += r.sums.virial[v].value(0.5 * r.quanta.energy);
      *pressure = virial / 3 / (edge * edge * edge);
    }
    return static_cast<double>((energy(r, 0) + energy(r, 1)) / 256);
  };
  // LAMMPS's benchmark starts at -113280 eV with 32,000 atoms; a sum over the crystal with these
  // tables in long double gives -3.5400000023 eV an atom.
  double pressure = 0;
  CHECK(std::abs(energy_of(3.615, PairPrecision::float64, &pressure) + 3.5400000023) < 2e-9);
  CHECK(std::abs(pressure) < 1e-7);  // eV/angstrom^3: 0.16 bar
  CHECK(std::abs(energy_of(3.615, PairPrecision::mixed, nullptr) + 3.5400000023) < 4e-6);
  // The bulk modulus, 138.5 GPa: 4/9 of the energy's second derivative over the lattice constant.
  const double h = 0.003, low = energy_of(3.615 - h, PairPrecision::float64, nullptr),
               middle = energy_of(3.615, PairPrecision::float64, nullptr),
               high = energy_of(3.615 + h, PairPrecision::float64, nullptr);
  const double modulus = 4.0 / 9 * (low - 2 * middle + high) / (h * h) / 3.615;
  CHECK(modulus * 160.2177 == doctest::Approx(138.52).epsilon(2e-3));
}

TEST_CASE("eam: types of one element are one type, and files of one element each can be mixed") {
  const EamFile file = tabulate({});
  CHECK(make_eam_tables(file, std::array<std::size_t, 3>{0, 0, 0}).types() == 1);
  EamFile other = file;
  for (double& z : other.r_phi[0]) z *= 4;
  const EamFile both = merge_funcfl(std::array<EamFile, 2>{file, other});
  REQUIRE(both.elements.size() == 2);
  CHECK(both.pair(0, 0) == file.r_phi[0]);
  CHECK(both.pair(1, 0).at(1000) == doctest::Approx(2 * file.r_phi[0].at(1000)).epsilon(1e-15));
  CHECK(both.density(1, 0) == file.density(0, 0));
  // Another grid: the same function.
  SuttonChen shorter;
  shorter.cutoff = 6;
  const EamFile mixed = merge_funcfl(std::array<EamFile, 2>{file, tabulate(shorter)});
  CHECK(mixed.r_step == file.r_step);
  CHECK(mixed.cutoff == file.cutoff);
  const CubicTable density(mixed.density(1, 1), mixed.r_step);
  CHECK(density.at(3.0).value == doctest::Approx(std::pow(3.61 / 3.0, 6)).epsilon(1e-9));
  CHECK(density.at(6.5).value == 0);
}

TEST_CASE("eam: beyond their ends functions go on straight") {
  const std::array<double, 6> values{0, 1, 4, 9, 16, 25};
  const CubicTable square(values, 0.5);
  CHECK(square.end() == 2.5);
  CHECK(square.at(1.25).value == doctest::Approx(6.25));
  CHECK(square.at(1.25).slope == doctest::Approx(10));
  CHECK(square.at(2.5).value == 25);
  CHECK(square.at(3.5).value == doctest::Approx(25 + square.at(2.5).slope));
  CHECK(square.at(3.5).slope == square.at(2.5).slope);
  CHECK(square.at(-1).value == doctest::Approx(-square.at(0).slope));
}

TEST_CASE("eam: overlaps are refused, by every rank that sees one") {
  for (const PairPrecision precision : {PairPrecision::mixed, PairPrecision::float64})
    for (const double distance : {0.9, 0.3, 0.0}) {
      Atoms atoms = crystal(cube, 4, 0.1);
      atoms.positions[100] = atoms.positions[7];
      atoms.positions[100].x[2] += static_cast<std::uint64_t>(distance / 14.44 * 0x1p64);
      Options o;
      o.precision = precision;
      CHECK_THROWS_AS(compute(atoms, copper(), o), NumericalError);
    }
  CHECK_THROWS_AS(tabulate({1e-2, 3.6, 39, 5, 6, 0, 63}), InputError);
}
