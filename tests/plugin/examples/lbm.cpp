// Compares the lattice Boltzmann equation with a plain loop and with known solutions: Poiseuille
// and Couette flow exactly, Taylor-Green vortices to second order; the same bits on any number of
// ranks.

#include <array>
#include <cmath>
#include <cstring>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "lbm_module.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::test;
using lbm::LbmModule;

namespace {

/// The parameters of a flow. `walls` are the keys of the walls of each axis, empty if it is
/// periodic; "# at rest" is a TOML comment, for walls that have no key because they do not move.
struct Flow {
  std::array<Index, 3> cells{};
  std::array<std::string, 3> walls{};
  double viscosity = 0.05;
  double magic = 0.1875;  ///< magic parameter of the two-relaxation-time model
  std::array<double, 3> force{};
  std::string start = "kind = \"rest\"\n";
  std::string more;

  std::string config(Index steps, Index observe_every) const {
    std::string text =
        fmt::format("[lattice]\ncells = [{}, {}, {}]\n", cells[0], cells[1], cells[2]);
    for (std::size_t a = 0; a < 3; ++a)
      if (!walls[a].empty()) text += fmt::format("[lattice.{}]\n{}\n", "xyz"[a], walls[a]);
    return text + fmt::format(
                      "[fluid]\nviscosity = {:.17g}\nmagic = {:.17g}\n"
                      "force = [{:.17g}, {:.17g}, {:.17g}]\nsteps = {}\n"
                      "observe_every = {}\n[start]\n{}{}",
                      viscosity, magic, force[0], force[1], force[2], steps, observe_every, start,
                      more);
  }
};

std::vector<double> column(const MemoryDatasets::Contents& contents, const std::string& path) {
  const auto& d = contents.datasets.at(path);
  std::vector<double> values(d.bytes.size() / sizeof(double));
  std::memcpy(values.data(), d.bytes.data(), d.bytes.size());
  return values;
}

/// The reference: the textbook form of the equation with full populations (not deviations from
/// equilibrium at rest); collisions in place, then each population is streamed to the neighbouring
/// cell or reflected by the wall between them.
class PlainLattice {
 public:
  /// walls: velocity by axis, side (0: lower, 1: upper) and component
  PlainLattice(const Flow& flow, const std::array<std::array<std::array<double, 3>, 2>, 3>& walls)
      : flow_(flow), walls_(walls) {
    const auto n = static_cast<std::size_t>(flow.cells[0] * flow.cells[1] * flow.cells[2]);
    for (auto& population : f_) population.resize(n);
  }
  /// Populations by direction and cell, as deviations from the equilibrium at rest, `steps` steps
  /// after `initial`.
  std::array<std::vector<double>, 19> after(const std::array<std::vector<double>, 19>& initial,
                                            Index steps) {
    for (std::size_t i = 0; i < 19; ++i)
      for (std::size_t k = 0; k < f_[i].size(); ++k) f_[i][k] = initial[i][k] + weight(i);
    for (Index s = 0; s < steps; ++s) {
      stream();
      for (std::size_t k = 0; k < f_[0].size(); ++k) collide(k);
    }
    for (std::size_t i = 0; i < 19; ++i)
      for (double& x : f_[i]) x -= weight(i);
    return f_;
  }

 private:
  static double weight(std::size_t i) { return i == 0 ? 1.0 / 3 : i < 7 ? 1.0 / 18 : 1.0 / 36; }
  static int component(std::size_t i, std::size_t a) { return lbm::directions[i][a]; }
  static std::size_t opposite(std::size_t i) {
    for (std::size_t j = 0; j < 19; ++j)
      if (component(j, 0) == -component(i, 0) && component(j, 1) == -component(i, 1) &&
          component(j, 2) == -component(i, 2))
        return j;
    return 19;
  }
  std::size_t index(const std::array<Index, 3>& cell) const {
    return static_cast<std::size_t>(cell[0] +
                                    flow_.cells[0] * (cell[1] + flow_.cells[1] * cell[2]));
  }
  void stream() {
    auto streamed = f_;
    const auto& n = flow_.cells;
    for (Index z = 0; z < n[2]; ++z)
      for (Index y = 0; y < n[1]; ++y)
        for (Index x = 0; x < n[0]; ++x)
          for (std::size_t i = 0; i < 19; ++i) {
            const std::array<Index, 3> from{x, y, z};
            std::array<Index, 3> to = from;
            const std::array<double, 3>* wall = nullptr;
            int wall_count = 0;
            for (std::size_t a = 0; a < 3; ++a) {
              to[a] += component(i, a);
              if (!flow_.walls[a].empty() && (to[a] < 0 || to[a] >= n[a])) {
                wall = &walls_[a][to[a] < 0 ? 0 : 1];
                ++wall_count;
              }
              to[a] = (to[a] + n[a]) % n[a];
            }
            if (wall == nullptr) {
              streamed[i][index(to)] = f_[i][index(from)];
              continue;
            }
            double along = 0;
            for (std::size_t a = 0; a < 3 && wall_count == 1; ++a)
              along += component(i, a) * (*wall)[a];
            streamed[opposite(i)][index(from)] = f_[i][index(from)] - 6 * weight(i) * along;
          }
    f_ = streamed;
  }
  void collide(std::size_t k) {
    double density = 0, u[3] = {0, 0, 0}, uu = 0, uf = 0;
    for (std::size_t i = 0; i < 19; ++i) {
      density += f_[i][k];
      for (std::size_t a = 0; a < 3; ++a) u[a] += component(i, a) * f_[i][k];
    }
    for (std::size_t a = 0; a < 3; ++a) {
      u[a] = (u[a] + flow_.force[a] / 2) / density;
      uu += u[a] * u[a];
      uf += u[a] * flow_.force[a];
    }
    double equilibrium[19], source[19], current[19];
    for (std::size_t i = 0; i < 19; ++i) {
      double cu = 0, cf = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        cu += component(i, a) * u[a];
        cf += component(i, a) * flow_.force[a];
      }
      equilibrium[i] = weight(i) * density * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * uu);
      source[i] = weight(i) * (3 * (cf - uf) + 9 * cu * cf);
      current[i] = f_[i][k];
    }
    const double tau_even = 3 * flow_.viscosity + 0.5;
    const double tau_odd = flow_.magic / (tau_even - 0.5) + 0.5;
    for (std::size_t i = 0; i < 19; ++i) {
      const std::size_t j = opposite(i);
      const auto even = [&](const double* x) { return (x[i] + x[j]) / 2; };
      const auto odd = [&](const double* x) { return (x[i] - x[j]) / 2; };
      f_[i][k] = current[i] - (even(current) - even(equilibrium)) / tau_even -
                 (odd(current) - odd(equilibrium)) / tau_odd +
                 (1 - 1 / (2 * tau_even)) * even(source) + (1 - 1 / (2 * tau_odd)) * odd(source);
    }
  }

  Flow flow_;
  std::array<std::array<std::array<double, 3>, 2>, 3> walls_;
  std::array<std::vector<double>, 19> f_;
};

std::array<std::vector<double>, 19> populations_of(const Outcome& o) {
  std::array<std::vector<double>, 19> f;
  for (std::size_t i = 0; i < 19; ++i)
    f[i] = column(o.state, fmt::format("lbm/population_{:02}", i));
  return f;
}

std::string vortices(const char* plane, double speed, int waves_1, int waves_2) {
  return fmt::format("kind = \"vortices\"\nplane = \"{}\"\nspeed = {:.17g}\nwaves = [{}, {}]\n",
                     plane, speed, waves_1, waves_2);
}

}  // namespace

TEST_CASE("lbm: populations equal those of a plain loop over cells and directions") {
  const std::array<std::array<std::array<double, 3>, 2>, 3> walls{
      {{{{0, 0.03, -0.02}, {0, 0, 0.05}}},
       {{{0.04, 0, 0}, {0.1, 0, 0.02}}},
       {{{-0.05, 0.01, 0}, {0, 0, 0}}}}};
  const auto wall_keys = [&](std::size_t a) {
    const auto& [low, high] = walls[a];
    return fmt::format("lower_velocity = [{}, {}, {}]\nupper_velocity = [{}, {}, {}]", low[0],
                       low[1], low[2], high[0], high[1], high[2]);
  };
  for (int wall_bits = 0; wall_bits < 8; ++wall_bits) {  // bit a: axis a has walls
    Flow flow;
    flow.cells = {wall_bits % 2 == 0 ? 11 : 67, 5, 4};
    for (std::size_t a = 0; a < 3; ++a)
      if ((wall_bits >> a & 1) != 0) flow.walls[a] = wall_keys(a);
    flow.force = {2e-3, -1e-3, 3e-3};
    flow.magic = 0.11;
    const Outcome start = run<LbmModule>(flow.config(0, 1), 1, 0, 0, 1);
    const auto expected = PlainLattice(flow, walls).after(populations_of(start), 25);
    for (const int ranks : {1, 4}) {
      const auto computed = populations_of(run<LbmModule>(flow.config(25, 25), ranks, 0, 25, 25));
      double worst = 0;
      for (std::size_t i = 0; i < 19; ++i) {
        REQUIRE(computed[i].size() == expected[i].size());
        for (std::size_t k = 0; k < computed[i].size(); ++k)
          worst = std::max(worst, std::abs(computed[i][k] - expected[i][k]));
      }
      INFO("walls " << wall_bits << ", " << ranks << " ranks: " << worst);
      CHECK(worst < 2e-15);
    }
  }
}

TEST_CASE("lbm: Poiseuille flow is exact at any viscosity") {
  for (std::size_t across = 0; across < 3; ++across)
    for (const double viscosity : {0.02, 0.3}) {
      const std::size_t along = (across + 1) % 3;
      const Index n = 7, steps = viscosity < 0.1 ? 25000 : 2000;
      Flow flow;
      flow.cells = {1, 1, 1};
      flow.cells[across] = n;
      flow.cells[along] = 3;
      flow.walls[across] = "# at rest";
      flow.viscosity = viscosity;
      flow.force[along] = 1e-4 * viscosity;
      const auto largest_error = [&](double magic) {
        flow.magic = magic;
        const auto u = column(run<LbmModule>(flow.config(steps, steps), 2, 0, steps, steps).results,
                              "velocity");
        double largest = 0;
        for (std::size_t k = 0; k < u.size() / 3; ++k) {
          const std::size_t stride = across == 0 ? 1 : across == 1 ? (along == 0 ? 3 : 1) : 3;
          const double y = static_cast<double>(k / stride % n) + 0.5;
          const double exact = 1e-4 / 2 * y * (static_cast<double>(n) - y);
          largest = std::max(largest, std::abs(u[3 * k + along] - exact));
        }
        return largest;
      };
      CHECK(largest_error(0.1875) < 1e-14);
      // With another magic parameter the walls are not exactly halfway between cells; the error is
      // then of the order of the force times the square of a cell.
      CHECK(largest_error(0.25) > 1e-6);
    }
}

TEST_CASE("lbm: Couette flow is linear") {
  Flow flow;
  flow.cells = {2, 8, 1};
  flow.walls[1] = "upper_velocity = [0.1, 0.0, 0.0]";
  flow.viscosity = 0.2;
  flow.more = "[probes]\nplaces = [[1.0, 1.0, 0.5], [0.3, 6.2, 0.5], [2.0, 7.5, 0.1]]\n";
  const Outcome o = run<LbmModule>(flow.config(3000, 3000), 3, 0, 3000, 3000);
  const auto u = o.numbers("probes/velocity_x"), y = o.numbers("probes/y");
  REQUIRE(u.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) CHECK(u[i] == doctest::Approx(0.1 * y[i] / 8).epsilon(1e-12));
  CHECK(o.numbers("probes/velocity_y")[1] == doctest::Approx(0).epsilon(1e-12));
}

TEST_CASE("lbm: Taylor-Green vortices decay as in the Navier-Stokes equations, to second order") {
  for (const char* plane : {"xy", "yz", "zx"}) {
    double errors[2];
    for (int fine = 0; fine < 2; ++fine) {
      // Speeds are proportional to the edge of a cell, and time steps to its square.
      const Index n = fine == 0 ? 32 : 64, steps = fine == 0 ? 240 : 960;
      Flow flow;
      flow.cells = {n, n, n};
      flow.cells[plane[0] == 'x' ? 2 : plane[0] == 'y' ? 0 : 1] = 1;
      flow.viscosity = 0.1;
      flow.start = vortices(plane, 0.64 / static_cast<double>(n), 1, 2);
      const Outcome o = run<LbmModule>(flow.config(steps, steps), 1, 0, steps, steps);
      const double pi = 3.14159265358979323846, k = 2 * pi / static_cast<double>(n);
      const double exact = std::exp(-0.1 * 5 * k * k * static_cast<double>(steps));
      const double speed = 0.64 / static_cast<double>(n);
      CHECK(o.numbers("lbm/amplitude").front() == doctest::Approx(speed).epsilon(1e-13));
      CHECK(o.numbers("lbm/amplitude_exact").back() ==
            doctest::Approx(speed * exact).epsilon(1e-12));
      errors[fine] = std::abs(o.numbers("lbm/amplitude").back() / speed - exact);
    }
    const double order = std::log2(errors[0] / errors[1]);
    INFO(plane << ": " << errors[0] << " " << errors[1] << ", order " << order);
    CHECK(order > 1.9);
    CHECK(order < 2.1);
  }
}

TEST_CASE("lbm: mass is conserved, and momentum grows by the applied force") {
  Flow box;
  box.cells = {9, 8, 7};
  box.walls = {"# at rest", "upper_velocity = [0.1, 0.0, 0.0]", "# at rest"};
  for (const double density :
       run<LbmModule>(box.config(400, 50), 3, 0, 400, 400).numbers("lbm/density"))
    CHECK(density == doctest::Approx(1).epsilon(1e-13));
  Flow periodic;
  periodic.cells = {6, 5, 4};
  periodic.force = {1e-5, -2e-5, 3e-5};
  const Outcome o = run<LbmModule>(periodic.config(100, 10), 2, 0, 100, 100);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto u = o.numbers("lbm/velocity_" + std::string(1, "xyz"[a]));
    for (std::size_t i = 0; i < u.size(); ++i)
      CHECK(u[i] ==
            doctest::Approx(10 * static_cast<double>(i) * periodic.force[a]).epsilon(1e-12));
  }
}

TEST_CASE("lbm: the same bits on any number of ranks and threads, and when resumed") {
  Flow cavity;
  cavity.cells = {13, 11, 9};
  cavity.walls = {"# at rest", "upper_velocity = [0.1, 0.0, 0.05]", ""};
  cavity.force = {1e-4, 0, 2e-4};
  cavity.more = "[probes]\nplaces = [[6.5, 5.5, 9.0], [2.2, 3.3, 4.4]]\n";
  Flow vortex;
  vortex.cells = {12, 10, 8};
  vortex.start = vortices("zx", 0.05, 1, 1);
  Flow long_rows;  // the step computes a row in several pieces
  long_rows.cells = {300, 4, 2};
  long_rows.walls = {"", "lower_velocity = [0.05, 0.0, 0.0]", "# at rest"};
  for (const Flow& flow : {cavity, vortex, long_rows}) {
    const std::string text = flow.config(20, 6);
    const Outcome whole = run<LbmModule>(text, 1, 0, 20, 20);
    for (const int ranks : {2, 7})
      check_outcome_is_reproduced<LbmModule>(text, whole, ranks, 20, 3, 9);
    CHECK(run<LbmModule>(text, 1, 0, 20, 20, nullptr, 4).state == whole.state);
  }
}

TEST_CASE("lbm: invalid parameters are errors") {
  Flow flow;
  flow.cells = {8, 8, 1};
  flow.walls[1] = "# at rest";
  CHECK(config_error_message<LbmModule>(flow.config(10, 1)) == "");
  Flow through_wall = flow;
  through_wall.walls[1] = "upper_velocity = [0.0, 0.1, 0.0]";
  CHECK(config_error_message<LbmModule>(through_wall.config(10, 1)).find("tangential") !=
        std::string::npos);
  Flow vortex = flow;
  vortex.start = vortices("xy", 0.05, 1, 1);
  CHECK(config_error_message<LbmModule>(vortex.config(10, 1)).find("must be periodic") !=
        std::string::npos);
  Flow fine_waves = flow;
  fine_waves.walls[1] = "";
  fine_waves.start = vortices("xy", 0.05, 1, 4);
  CHECK(config_error_message<LbmModule>(fine_waves.config(10, 1)).find("two cells") !=
        std::string::npos);
  fine_waves.start = vortices("xy", 0.05, 1, 3);
  CHECK(config_error_message<LbmModule>(fine_waves.config(10, 1)) == "");
  Flow near_wall = flow;
  near_wall.more = "[probes]\nplaces = [[4.0, 0.2, 0.5]]\n";
  CHECK(config_error_message<LbmModule>(near_wall.config(10, 1)).find("half a cell") !=
        std::string::npos);
}
