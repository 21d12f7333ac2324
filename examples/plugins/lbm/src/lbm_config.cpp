#include "lbm_config.hpp"

#include <array>
#include <string_view>

namespace lbm {
namespace {

using gsim::Section;

// Compressibility errors grow as the square of the Mach number, which is 0.27 at this speed in
// cells/step.
constexpr double max_speed = 0.3;

constexpr std::array<const char*, 2> wall_keys{"lower_velocity", "upper_velocity"};

void describe_walls(Section& s, std::array<Vector, 2>& velocities) {
  for (std::size_t side = 0; side < 2; ++side)
    s.optional(wall_keys[side], velocities[side],
               {.doc = "velocity of the wall at this end, tangential to it",
                .unit = "cells/step",
                .minimum = -max_speed,
                .maximum = max_speed});
}

void validate_walls(const Section& s, const std::array<Vector, 2>& velocities, std::size_t axis) {
  for (std::size_t side = 0; side < 2; ++side)
    if (velocities[side][axis] != 0)
      s.fail(wall_keys[side], "the velocity of a wall must be tangential to it",
             "set its normal component to 0");
}

void describe_lattice(Section& s, LbmConfig& c) {
  s.required("cells", c.cells, {.doc = "number of cells along x, y, z", .minimum = 1});
  for (std::size_t a = 0; a < 3; ++a) {
    const auto describe = [&](Section& axis) { describe_walls(axis, c.wall_velocity[a]); };
    const auto validate = [&](const Section& axis) { validate_walls(axis, c.wall_velocity[a], a); };
    const bool is_open =
        s.optional_table(std::string(1, "xyz"[a]), gsim::validated(describe, validate),
                         "walls at both ends of this axis; without this table it is periodic");
    c.boundaries[a] = is_open ? gsim::Boundary::open : gsim::Boundary::periodic;
  }
}

void describe_fluid(Section& s, LbmConfig& c) {
  s.required("viscosity", c.viscosity,
             {.doc = "kinematic viscosity",
              .unit = "cells^2/step",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("magic", c.magic,
             {.doc = "magic parameter of the two-relaxation-time method, (1/even rate - 1/2) "
                     "(1/odd rate - 1/2): with 3/16 walls are half a cell from the centres at "
                     "every viscosity; (3 viscosity)^2 gives the method with one relaxation time",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("force", c.force,
             {.doc = "body force per unit volume", .unit = "density cells/step^2"});
  s.required("steps", c.steps,
             {.doc = "number of time steps", .minimum = 0, .is_run_length = true});
  s.optional("observe_every", c.observe_every,
             {.doc = "steps between rows of the table of observations", .minimum = 1});
}

void describe_vortices(Section& s, VorticesConfig& v) {
  constexpr std::array<std::string_view, 3> planes{"xy", "yz", "zx"};
  s.optional_word("plane", v.plane, planes, {.doc = "plane of the flow"});
  s.required("speed", v.speed,
             {.doc = "scale of velocities",
              .unit = "cells/step",
              .minimum = 0,
              .maximum = max_speed,
              .exclusive_minimum = true});
  s.required("waves", v.waves,
             {.doc = "number of periods along both axes of the plane", .minimum = 1});
}

void validate_vortices(const Section& s, const LbmConfig& c) {
  for (int k = 0; k < 2; ++k) {
    const std::size_t axis = c.vortices.axis(k);
    if (c.boundaries[axis] != gsim::Boundary::periodic)
      s.fail("waves", "both axes of the plane of the vortices must be periodic",
             "choose another plane");
    // With two cells or fewer per wave, the mode is aliased to a longer wave or vanishes.
    if (c.vortices.waves[static_cast<std::size_t>(k)] >= (c.cells[axis] + 1) / 2)
      s.fail("waves", "a wave has two cells or less", "give fewer waves, or more cells");
  }
}

void describe_start(Section& s, LbmConfig& c) {
  const auto rest = [](Section&) {};
  const auto vortices = gsim::validated([&](Section& v) { describe_vortices(v, c.vortices); },
                                        [&](const Section& v) { validate_vortices(v, c); });
  c.start = static_cast<StartKind>(s.alternatives(
      "kind",
      {{"rest", "the fluid is at rest", rest},
       {"vortices", "Taylor-Green vortices, which decay without changing their form", vortices}},
      -1, {.doc = "initial flow"}));
}

void describe_probes(Section& s, LbmConfig& c) {
  s.required("places", c.places,
             {.doc = "points [x, y, z] at which the velocity is interpolated; the centres of the "
                     "cells are at 0.5, 1.5, ...",
              .min_size = 1});
}

void validate_probes(const Section& s, LbmConfig& c) {
  c.probes.clear();
  for (const auto& place : c.places) {
    Vector p{};
    bool is_inside = place.size() == 3;
    for (std::size_t a = 0; a < 3 && is_inside; ++a) {
      const auto n = static_cast<double>(c.cells[a]);
      const bool is_periodic = c.boundaries[a] == gsim::Boundary::periodic;
      p[a] = place[a];
      is_inside = is_periodic ? 0 <= p[a] && p[a] <= n : 0.5 <= p[a] && p[a] <= n - 0.5;
    }
    if (!is_inside)
      s.fail("places", "a place is not a point [x, y, z] between centres of cells",
             "keep half a cell away from walls");
    c.probes.push_back(p);
  }
}

}  // namespace

void LbmConfig::describe(gsim::Section& top) {
  top.required_table(
      "lattice", [this](Section& s) { describe_lattice(s, *this); }, "cells and walls");
  top.required_table(
      "fluid", [this](Section& s) { describe_fluid(s, *this); },
      "the fluid: lengths in cells, times in steps, density 1 at rest");
  top.required_table(
      "start", [this](Section& s) { describe_start(s, *this); }, "initial flow");
  top.optional_table("probes",
                     gsim::validated([this](Section& s) { describe_probes(s, *this); },
                                     [this](const Section& s) { validate_probes(s, *this); }),
                     "points whose velocities are reported at the end of the run");
  pictures.describe(top, "pictures of density and velocity during the run");
}

}  // namespace lbm
