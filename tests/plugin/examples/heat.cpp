// Tests the heat equation: the decay of Fourier modes, compared with the exact decay of the
// discrete scheme and with the continuous equation to second order; steady conduction; the same
// bits on any number of ranks.

#include <cmath>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "gsim/io/result_file.hpp"
#include "heat_module.hpp"
#include "support/folder_contents.hpp"
#include "support/module_runs.hpp"

using namespace gsim;
using namespace gsim::test;
using heat::HeatModule;

namespace {

struct Axis {
  const char* keys;  // boundary conditions, keys of [grid.x] …; empty: periodic
  /// Wave number of a mode of this axis times the length of the axis.
  double k_times_length(Index waves) const {
    const double pi = 3.14159265358979323846;
    const std::string text = keys;
    if (text.empty()) return 2 * pi * static_cast<double>(waves);
    const auto is_fixed = [&](const char* side) { return text.find(side) != std::string::npos; };
    const bool mixed = is_fixed("lower = \"fixed\"") != is_fixed("upper = \"fixed\"");
    return pi * (static_cast<double>(waves) - (mixed ? 0.5 : 0.0));
  }
};
constexpr Axis periodic{""};
constexpr Axis insulated{"lower = \"zero_gradient\"\nupper = \"zero_gradient\""};
constexpr Axis fixed{"lower = \"fixed\"\nlower_value = 2.0\nupper = \"fixed\"\nupper_value = 2.0"};
constexpr Axis fixed_below{"lower = \"fixed\"\nlower_value = 2.0\nupper = \"zero_gradient\""};
constexpr Axis fixed_above{"lower = \"zero_gradient\"\nupper = \"fixed\"\nupper_value = 2.0"};

/// A Fourier mode with 1, 2 and 1 waves along the axes of a box of 1 x 2 x 1 (so that the three
/// grid spacings differ).
std::string mode_config(const std::array<Axis, 3>& axes, Index n, double time_step, Index steps) {
  std::string text = fmt::format(
      "[grid]\ncells = [{}, {}, {}]\nspacing = [{:.17g}, {:.17g}, {:.17g}]\n", n, n, n + 2,
      1.0 / static_cast<double>(n), 2.0 / static_cast<double>(n), 1.0 / static_cast<double>(n + 2));
  for (std::size_t a = 0; a < 3; ++a)
    if (*axes[a].keys != 0) text += fmt::format("[grid.{}]\n{}\n", "xyz"[a], axes[a].keys);
  return text + fmt::format(
                    "[heat]\ndiffusivity = 0.1\ntime_step = {:.17g}\nsteps = {}\n"
                    "observe_every = 7\n[start]\nkind = \"mode\"\nbackground = 2.0\n"
                    "amplitude = 3.0\nwaves = [1, 2, 1]\n",
                    time_step, steps);
}

const std::array<std::array<Axis, 3>, 4> boxes{{{periodic, periodic, periodic},
                                                {fixed, insulated, periodic},
                                                {fixed_below, fixed, fixed_above},
                                                {insulated, fixed_above, fixed}}};

}  // namespace

TEST_CASE("heat: a mode decays by the factor of the scheme, with every boundary condition") {
  for (const auto& axes : boxes) {
    const double dt = 0.005;
    const Outcome o = run<HeatModule>(mode_config(axes, 12, dt, 40), 2, 0, 40, 40);
    // 1 minus the sum over axes of 4 D dt / h^2 sin^2(k h / 2), computed without the module.
    double factor = 1;
    const double lengths[3] = {1, 2, 1}, cells[3] = {12, 12, 14};
    const Index waves[3] = {1, 2, 1};
    for (std::size_t a = 0; a < 3; ++a) {
      const double h = lengths[a] / cells[a];
      const double s = std::sin(axes[a].k_times_length(waves[a]) / lengths[a] * h / 2);
      factor -= 4 * 0.1 * dt / (h * h) * s * s;
    }
    const auto amplitude = o.numbers("heat/amplitude");
    const auto method = o.numbers("heat/amplitude_of_method");
    const auto step = o.results.datasets.at("heat/step");
    REQUIRE(amplitude.size() == 7);  // 0, 7, … 35, 40
    for (std::size_t i = 0; i < amplitude.size(); ++i) {
      const double n = i == 6 ? 40 : 7 * static_cast<double>(i);
      const double expected = 3 * std::pow(factor, n);
      CHECK(amplitude[i] == doctest::Approx(expected).epsilon(1e-13));
      CHECK(method[i] == doctest::Approx(expected).epsilon(1e-13));
    }
  }
}

TEST_CASE("heat: the error against the heat equation is of second order") {
  for (const auto& axes : boxes) {
    double errors[2];
    for (int fine = 0; fine < 2; ++fine) {
      // The time step is proportional to the square of the edge.
      const Index n = fine == 0 ? 16 : 32, steps = fine == 0 ? 20 : 80;
      const auto o = run<HeatModule>(
          mode_config(axes, n, 0.064 / static_cast<double>(n * n), steps), 1, 0, steps, steps);
      const double k[3] = {axes[0].k_times_length(1), axes[1].k_times_length(2) / 2,
                           axes[2].k_times_length(1)};
      const double t = 0.064 * 20 / 256;
      const double exact = 3 * std::exp(-0.1 * (k[0] * k[0] + k[1] * k[1] + k[2] * k[2]) * t);
      CHECK(o.numbers("heat/amplitude_of_equation").back() ==
            doctest::Approx(exact).epsilon(1e-13));
      errors[fine] = std::abs(o.numbers("heat/amplitude").back() - exact);
    }
    const double order = std::log2(errors[0] / errors[1]);
    CHECK(order > 1.85);
    CHECK(order < 2.15);
  }
}

TEST_CASE("heat: insulating walls conserve energy, and a uniform field stays constant") {
  const std::string config = R"(
[grid]
cells = [9, 8, 7]
[grid.x]
[grid.z]
[heat]
diffusivity = 1.0
time_step = 0.15
steps = 200
observe_every = 50
[start]
kind = "box"
lower = [1.0, 2.0, 0.0]
upper = [4.0, 8.0, 3.5]
background = 0.1
value = )";
  const auto means = run<HeatModule>(config + "1.0\n", 3, 0, 200, 200).numbers("heat/mean");
  // Cells 1 to 3, 2 to 7 and 0 to 2 have their centres in the box.
  const double first = 0.1 + 0.9 * 3 * 6 * 3 / (9 * 8 * 7);
  for (const double mean : means) CHECK(mean == doctest::Approx(first).epsilon(1e-14));
  const Outcome uniform = run<HeatModule>(config + "0.1\n", 3, 0, 200, 200);
  for (const double t : uniform.numbers("temperature")) CHECK(t == 0.1);
}

TEST_CASE("heat: steady conduction is linear between the places of fixed temperature") {
  const std::string config = R"(
[grid]
cells = [2, 8, 1]
spacing = [1.0, 0.125, 1.0]
[grid.y]
lower = "fixed"
lower_value = 1.0
upper = "CONDITION"
upper_value = 5.0
[heat]
diffusivity = 1.0
time_step = 0.0075
steps = 2000
[start]
kind = "box"
lower = [0.0, 0.0, 0.0]
upper = [1.0, 1.0, 1.0]
value = 3.0
)";
  for (const bool in_ghost : {false, true}) {
    std::string text = config;
    text.replace(text.find("CONDITION"), 9, in_ghost ? "fixed_ghost" : "fixed");
    const auto t = run<HeatModule>(text, 3, 0, 2000, 2000).numbers("temperature");
    // A straight line from 1 at y = 0 to 5 at y = 1 ("fixed", on the wall) or half a cell beyond it
    // ("fixed_ghost", at the centre of the ghost cell).
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double y = (static_cast<double>(i / 2) + 0.5) / 8;
      CHECK(t[i] == doctest::Approx(1 + 4 * y / (in_ghost ? 1.0625 : 1)).epsilon(1e-12));
    }
  }
}

TEST_CASE("heat: the same bits on any number of ranks and threads, and when resumed") {
  for (const auto& axes : boxes) {
    const std::string config = mode_config(axes, 9, 0.005, 25);
    const Outcome whole = run<HeatModule>(config, 1, 0, 25, 25);
    for (const int ranks : {2, 7})
      check_outcome_is_reproduced<HeatModule>(config, whole, ranks, 25, 4, 11);
    CHECK(run<HeatModule>(config, 1, 0, 25, 25, nullptr, 4).state == whole.state);
  }
}

// On a GPU sixteen steps at a time are one graph, which is repeated; single steps change the
// buffers.
TEST_CASE("heat: steps that are launched together give the bits of single ones") {
  std::string config = mode_config(boxes[1], 6, 0.005, 107);
  config.replace(config.find("observe_every = 7"), 17, "observe_every = 53");
  const Outcome single = run<HeatModule>(config, 1, 0, 107, 1);
  for (const Index slice : {107, 35, 17})
    CHECK(run<HeatModule>(config, 1, 0, 107, slice).state == single.state);
}

TEST_CASE("heat: VTKHDF files have the same bytes on any number of ranks, and when resumed") {
  const ScratchFolder folder;
  const auto config_for = [&](const std::string& name) {
    return mode_config(boxes[1], 6, 0.005, 10) +
           fmt::format("[pictures]\nevery = 2\nfile = \"{}\"\n", folder / name);
  };
  run<HeatModule>(config_for("whole.vtkhdf"), 1, 0, 10, 10);
  ResultReader file(Communicator::self(), folder / "whole.vtkhdf");
  CHECK(file.extents("VTKHDF/CellData/temperature") == std::vector<Index>{6, 8, 6, 6});
  const std::string whole = bytes_of(folder / "whole.vtkhdf");
  for (const int ranks : {2, 3, 4, 7}) {
    const std::string name = fmt::format("{}.vtkhdf", ranks);
    // The resumed run replaces the file of the first half by one of the whole run.
    const Outcome half = run<HeatModule>(config_for(name), ranks, 0, 5, 2);
    run<HeatModule>(config_for(name), ranks % 3 + 1, 5, 10, 3, &half.state);
    CHECK(bytes_of(folder / name) == whole);
  }
}

TEST_CASE("heat: invalid parameters are errors") {
  const auto box = mode_config(boxes[0], 6, 0.005, 10);
  CHECK(config_error_message<HeatModule>(box) == "");
  CHECK(config_error_message<HeatModule>(mode_config(boxes[0], 6, 0.5, 10)).find("unstable") !=
        std::string::npos);
  const auto box_with = [&](const std::string& keys) {
    std::string text = box;
    return text.replace(text.find("[heat]"), 6, keys + "\n[heat]");
  };
  CHECK(config_error_message<HeatModule>(box_with("[grid.x]\nlower = \"fixed\"\nlower_value = 1.0"))
            .find("decays to the background") != std::string::npos);
  CHECK(config_error_message<HeatModule>(box_with("[grid.x]\nlower_value = 1.0"))
            .find("no fixed value") != std::string::npos);
  CHECK(config_error_message<HeatModule>(box_with("[grid.x]\nlower = \"fixd\"")).find("fixed") !=
        std::string::npos);
}
