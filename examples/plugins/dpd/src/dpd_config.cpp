#include "dpd_config.hpp"

#include <string>

namespace dpd {

void DpdConfig::describe(gsim::Section& top) {
  top.required_table(
      "dpd",
      [this](gsim::Section& s) {
        s.required("particles", particles,
                   {.doc = "how many there are", .minimum = 2, .maximum = 4294967296.0});
        s.required("length", length,
                   {.doc = "edge of the cubic box, which is periodic; the range of forces is 1",
                    .unit = "length",
                    .minimum = 2});
        s.optional("repulsion", repulsion,
                   {.doc = "a, the greatest conservative force of a pair",
                    .unit = "energy/length",
                    .minimum = 0});
        s.optional("friction", friction,
                   {.doc = "gamma, of the dissipative force", .unit = "mass/time", .minimum = 0});
        s.optional("temperature", temperature,
                   {.doc = "k T, of the random force and of the velocities at the start",
                    .unit = "energy",
                    .minimum = 0,
                    .exclusive_minimum = true});
        s.optional("time_step", time_step,
                   {.doc = "dt", .unit = "time", .minimum = 0, .exclusive_minimum = true});
        s.optional("lambda", lambda,
                   {.doc = "forces are computed with velocities that are predicted over lambda dt",
                    .minimum = 0,
                    .maximum = 1});
        s.required("steps", steps,
                   {.doc = "time steps of the run", .minimum = 1, .is_run_length = true});
        if (s.describing()) return;
        // The fixed-point unit of pair forces follows from an estimate of the largest force.
        if (!(friction * time_step <= 1))
          s.fail("time_step", "friction times the time step exceeds 1, where no step is stable",
                 "use a time step of at most " + std::to_string(1 / friction));
      },
      "a fluid of soft particles with pairwise friction and noise");
  top.optional_table(
      "thermo", [this](gsim::Section& s) { thermo.describe(s); },
      "the table of temperatures, pressure and energy");
}

}  // namespace dpd
