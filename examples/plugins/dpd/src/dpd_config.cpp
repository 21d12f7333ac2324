#include "dpd_config.hpp"

#include <string>

namespace dpd {

namespace {

void describe_dpd(gsim::Section& s, DpdConfig& c) {
  s.required("particles", c.particles,
             {.doc = "number of particles", .minimum = 2, .maximum = 4294967296.0});
  s.required("length", c.length,
             {.doc = "edge of the periodic cubic box; the cutoff radius of the forces is 1",
              .unit = "length",
              .minimum = 2});
  s.optional("repulsion", c.repulsion,
             {.doc = "a, the largest conservative force of a pair",
              .unit = "energy/length",
              .minimum = 0});
  s.optional(
      "friction", c.friction,
      {.doc = "gamma, coefficient of the dissipative force", .unit = "mass/time", .minimum = 0});
  s.optional("temperature", c.temperature,
             {.doc = "k T of the random force and of the initial velocities",
              .unit = "energy",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("time_step", c.time_step,
             {.doc = "time step dt", .unit = "time", .minimum = 0, .exclusive_minimum = true});
  s.optional("lambda", c.lambda,
             {.doc = "fraction of the time step over which velocities are predicted for the forces "
                     "(Groot and Warren 1997)",
              .minimum = 0,
              .maximum = 1});
  s.required("steps", c.steps,
             {.doc = "number of time steps", .minimum = 1, .is_run_length = true});
}

void validate_dpd(const gsim::Section& s, const DpdConfig& c) {
  if (!(c.friction * c.time_step <= 1))
    s.fail("time_step", "friction times the time step exceeds 1, where no step is stable",
           "use a time step of at most " + std::to_string(1 / c.friction));
}

}  // namespace

void DpdConfig::describe(gsim::Section& top) {
  top.required_table(
      "dpd",
      gsim::validated([this](gsim::Section& s) { describe_dpd(s, *this); },
                      [this](const gsim::Section& s) { validate_dpd(s, *this); }),
      "dissipative particle dynamics: soft particles with pairwise friction and noise");
  top.optional_table(
      "thermo", [this](gsim::Section& s) { thermo.describe(s); },
      "the table of temperatures, pressure and energy");
}

}  // namespace dpd
