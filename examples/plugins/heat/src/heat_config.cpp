#include "heat_config.hpp"

namespace heat {
namespace {

void describe_start(gsim::Section& s, HeatConfig& c) {
  const auto mode = [&](gsim::Section& m) {
    m.optional("amplitude", c.amplitude, {.doc = "of the mode"});
    m.required("waves", c.waves, {.doc = "of the mode along x, y, z", .minimum = 0});
  };
  const auto box = [&](gsim::Section& b) {
    b.required("value", c.value, {.doc = "temperature in the box"});
    b.required("lower", c.lower, {.doc = "lower corner of the box"});
    b.required("upper", c.upper, {.doc = "upper corner of the box"});
  };
  s.optional("background", c.background, {.doc = "temperature without mode or box"});
  c.start = static_cast<StartKind>(
      s.alternatives("kind",
                     {{"mode", "one mode of the Laplacian, which decays", mode},
                      {"box", "a box of another temperature", box}},
                     -1, {.doc = "what the first temperatures are"}));
}

}  // namespace

void HeatConfig::describe(gsim::Section& top) {
  grid.describe(top);
  top.required_table(
      "heat",
      [this](gsim::Section& s) {
        s.required(
            "diffusivity", diffusivity,
            {.doc = "of heat", .unit = "length^2/time", .minimum = 0, .exclusive_minimum = true});
        s.required("time_step", time_step,
                   {.doc = "of the explicit Euler method",
                    .unit = "time",
                    .minimum = 0,
                    .exclusive_minimum = true});
        s.required("steps", steps, {.doc = "time steps", .minimum = 0, .is_run_length = true});
        s.optional("observe_every", observe_every,
                   {.doc = "steps between rows of the table of observations", .minimum = 1});
        s.optional("temperature_unit", temperature_unit,
                   {.doc = "as files and pictures name it: it changes no number"});
        s.optional("time_unit", time_unit, {.doc = "likewise"});
        if (s.describing()) return;
        const double sum = exchange(0) + exchange(1) + exchange(2);
        if (!(sum <= 0.5))
          s.fail("time_step",
                 "the explicit method is unstable where time_step * diffusivity * (1/hx^2 + "
                 "1/hy^2 + 1/hz^2) exceeds 1/2 (Courant, Friedrichs and Lewy 1928)",
                 "use a time step of at most " + std::to_string(time_step * 0.5 / sum));
      },
      "the heat equation du/dt = D (d2u/dx2 + d2u/dy2 + d2u/dz2)");
  top.required_table(
      "start", [this](gsim::Section& s) { describe_start(s, *this); }, "temperatures at time 0");
  top.optional_table(
      "pictures",
      [this](gsim::Section& s) {
        picture_every = 1;
        s.optional("every", picture_every, {.doc = "steps from one to the next", .minimum = 1});
        s.optional("file", picture_file,
                   {.doc = "VTKHDF file for ParaView; default: OUTPUT.vtkhdf"});
      },
      "temperatures as the run goes on");
}

}  // namespace heat
