#include "heat_config.hpp"

namespace heat {
namespace {

void describe_heat(gsim::Section& s, HeatConfig& c) {
  s.required("diffusivity", c.diffusivity,
             {.doc = "thermal diffusivity D",
              .unit = "length^2/time",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("time_step", c.time_step,
             {.doc = "time step of the explicit Euler method",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("steps", c.steps,
             {.doc = "number of time steps", .minimum = 0, .is_run_length = true});
  s.optional("observe_every", c.observe_every,
             {.doc = "steps between rows of the table of observations", .minimum = 1});
  s.optional("temperature_unit", c.temperature_unit,
             {.doc = "unit of temperatures as a label in files and pictures; no number is "
                     "converted"});
  s.optional("time_unit", c.time_unit,
             {.doc = "unit of times as a label in files and pictures; no number is converted"});
}

void validate_heat(const gsim::Section& s, HeatConfig& c) {
  const double sum = c.diffusion_number(0) + c.diffusion_number(1) + c.diffusion_number(2);
  if (!(sum <= 0.5))
    s.fail("time_step",
           "the explicit method is unstable where time_step * diffusivity * (1/hx^2 + "
           "1/hy^2 + 1/hz^2) exceeds 1/2 (Courant, Friedrichs and Lewy 1928)",
           "use a time step of at most " + std::to_string(c.time_step * 0.5 / sum));
}

void describe_start(gsim::Section& s, HeatConfig& c) {
  const auto mode = [&](gsim::Section& m) {
    m.optional("amplitude", c.amplitude, {.doc = "amplitude of the mode"});
    m.required("waves", c.waves,
               {.doc = "mode numbers along x, y, z: periods between periodic ends, half periods "
                       "between others",
                .minimum = 0});
  };
  const auto box = [&](gsim::Section& b) {
    b.required("value", c.value, {.doc = "temperature in the box"});
    b.required("lower", c.lower, {.doc = "lower corner of the box"});
    b.required("upper", c.upper, {.doc = "upper corner of the box"});
  };
  s.optional("background", c.background,
             {.doc = "temperature to which the mode is added, or outside the box"});
  c.start = static_cast<StartKind>(
      s.alternatives("kind",
                     {{"mode", "an eigenmode of the Laplacian, which decays", mode},
                      {"box", "a box of another temperature", box}},
                     -1, {.doc = "initial temperatures"}));
}

}  // namespace

void HeatConfig::describe(gsim::Section& top) {
  grid.describe(top);
  top.required_table("heat",
                     gsim::validated([this](gsim::Section& s) { describe_heat(s, *this); },
                                     [this](const gsim::Section& s) { validate_heat(s, *this); }),
                     "the heat equation du/dt = D (d2u/dx2 + d2u/dy2 + d2u/dz2)");
  top.required_table(
      "start", [this](gsim::Section& s) { describe_start(s, *this); }, "temperatures at time 0");
  pictures.describe(top, "pictures of the temperatures during the run");
}

}  // namespace heat
