#include "lbm_config.hpp"

#include <array>
#include <string_view>

namespace lbm {
namespace {

using gsim::Section;

// Errors of the method grow as the square of speed / speed of sound: 0.27 at this speed.
constexpr double most_speed = 0.3;

void describe_walls(Section& s, LbmConfig& c, std::size_t axis) {
  for (std::size_t side = 0; side < 2; ++side) {
    const char* const key = side == 0 ? "lower_velocity" : "upper_velocity";
    Vector& velocity = c.wall_velocity[axis][side];
    s.optional(key, velocity,
               {.doc = "of the wall at this end, which it does not leave",
                .unit = "cells/step",
                .minimum = -most_speed,
                .maximum = most_speed});
    if (!s.describing() && velocity[axis] != 0)
      s.fail(key, "a wall does not move through itself", "set the velocity across it to 0");
  }
}

void describe_lattice(Section& s, LbmConfig& c) {
  s.required("cells", c.cells, {.doc = "along x, y, z", .minimum = 1});
  for (std::size_t a = 0; a < 3; ++a) {
    const bool is_open = s.optional_table(
        std::string(1, "xyz"[a]), [&](Section& axis) { describe_walls(axis, c, a); },
        "walls at both ends of this axis; without this table it is periodic");
    c.boundaries[a] = is_open ? gsim::Boundary::open : gsim::Boundary::periodic;
  }
}

void describe_fluid(Section& s, LbmConfig& c) {
  s.required("viscosity", c.viscosity,
             {.doc = "kinematic", .unit = "cells^2/step", .minimum = 0, .exclusive_minimum = true});
  s.optional("magic", c.magic,
             {.doc = "product of both relaxation times, each less 1/2: with 3/16 walls stand half "
                     "a cell from the centres at every viscosity; (3 viscosity)^2 is the method "
                     "with one relaxation time",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional("force", c.force, {.doc = "on a unit of volume", .unit = "density cells/step^2"});
  s.required("steps", c.steps, {.doc = "time steps", .minimum = 0, .is_run_length = true});
  s.optional("observe_every", c.observe_every,
             {.doc = "steps between rows of the table of observations", .minimum = 1});
}

void describe_start(Section& s, LbmConfig& c) {
  const auto rest = [](Section&) {};
  const auto vortices = [&](Section& v) {
    constexpr std::array<std::string_view, 3> planes{"xy", "yz", "zx"};
    v.optional_word("plane", c.vortices.plane, planes, {.doc = "in which they turn"});
    v.required("speed", c.vortices.speed,
               {.doc = "scale of velocities",
                .unit = "cells/step",
                .minimum = 0,
                .maximum = most_speed,
                .exclusive_minimum = true});
    v.required("waves", c.vortices.waves, {.doc = "along both axes of the plane", .minimum = 1});
    if (v.describing()) return;
    for (int k = 0; k < 2; ++k) {
      const std::size_t axis = c.vortices.axis(k);
      if (c.boundaries[axis] != gsim::Boundary::periodic)
        v.fail("waves", "vortices turn between periodic axes", "choose another plane");
      // With two cells or fewer per wave, the mode is aliased to a longer wave or vanishes.
      if (c.vortices.waves[static_cast<std::size_t>(k)] >= (c.cells[axis] + 1) / 2)
        v.fail("waves", "a wave has two cells or less", "give fewer waves, or more cells");
    }
  };
  c.start = static_cast<StartKind>(s.alternatives(
      "kind",
      {{"rest", "the fluid rests", rest},
       {"vortices", "Taylor-Green vortices, which decay without changing their form", vortices}},
      -1, {.doc = "what the fluid does at first"}));
}

void describe_probes(Section& s, LbmConfig& c) {
  std::vector<std::vector<double>> places;
  s.required("places", places,
             {.doc = "[x, y, z] where the velocity is interpolated, cells being centred at 0.5, "
                     "1.5, ...",
              .min_size = 1});
  c.probes.clear();
  for (const auto& place : places) {
    Vector p{};
    bool is_inside = place.size() == 3;
    for (std::size_t a = 0; a < 3 && is_inside; ++a) {
      const auto n = static_cast<double>(c.cells[a]);
      const bool is_periodic = c.boundaries[a] == gsim::Boundary::periodic;
      p[a] = place[a];
      is_inside = is_periodic ? 0 <= p[a] && p[a] <= n : 0.5 <= p[a] && p[a] <= n - 0.5;
    }
    if (!s.describing() && !is_inside)
      s.fail("places", "a place is no [x, y, z] between centres of cells",
             "stay half a cell from walls");
    c.probes.push_back(p);
  }
}

}  // namespace

void LbmConfig::describe(gsim::Section& top) {
  top.required_table(
      "lattice", [this](Section& s) { describe_lattice(s, *this); }, "cells and walls");
  top.required_table(
      "fluid", [this](Section& s) { describe_fluid(s, *this); },
      "what flows: lengths in cells, times in steps, of density 1 at rest");
  top.required_table(
      "start", [this](Section& s) { describe_start(s, *this); }, "the flow at step 0");
  top.optional_table(
      "probes", [this](Section& s) { describe_probes(s, *this); },
      "velocities at places, at the end of the run");
  top.optional_table(
      "pictures",
      [this](Section& s) {
        picture_every = 1;
        s.optional("every", picture_every, {.doc = "steps from one to the next", .minimum = 1});
        s.optional("file", picture_file,
                   {.doc = "VTKHDF file for ParaView; default: OUTPUT.vtkhdf"});
      },
      "density and velocity as the run goes on");
}

}  // namespace lbm
