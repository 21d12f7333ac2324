#include "src/modules/md/md_config.hpp"

#include <fmt/format.h>

#include "gsim/config/without_plugin.hpp"
#include "src/modules/md/neighbour_lists/default_skin.hpp"
#include "src/modules/md/setup/push_off.hpp"

namespace gsim::md {
namespace {

void describe_run(Section& s, MdConfig& c) {
  static constexpr std::string_view precisions[] = {"mixed", "double"};
  s.optional("units", c.units, unit_system_names(),
             {.doc = "lj: epsilon = sigma = m = kB = 1; metal: eV, Angstrom, ps, K, bar, g/mol, e; "
                     "real: kcal/mol, Angstrom, fs, K, atm, g/mol, e"});
  s.required("steps", c.steps,
             {.doc = "number of time steps of the whole run",
              .minimum = 0,
              .maximum = 0x1p40,  // limit of the steps in random-number addresses
              .is_run_length = true});
  s.required("time_step", c.time_step,
             {.doc = "time step in time units; usual values are 0.005 (lj), 0.001 to 0.005 "
                     "(metal), 1 to 2 (real)",
              .minimum = 0,
              .exclusive_minimum = true});
  s.optional(
      "precision", c.precision, precisions,
      {.doc = "precision of pair distances and forces: mixed: float32; double: float64. Sums, "
              "positions and velocities are in float64 or fixed point in either case"});
  s.optional("skin", c.skin,
             {.doc = "skin distance of neighbour lists beyond the cutoff (hosts use up to 2.5 "
                     "times as much, GPUs up to 1.5 times); with a larger skin lists are longer "
                     "and rebuilt less often "
                     "(0: 0.3 in lj, 2 Angstrom in metal and real)",
              .minimum = 0});
}

void validate_run(const Section&, MdConfig& c) {
  if (c.skin == 0) c.skin = default_skin(c.units);
}

std::vector<EamType> eam_types_of(const StartConfig& start) {
  std::vector<EamType> types;
  types.reserve(start.types.size());
  for (const TypeConfig& t : start.types) types.push_back({t.name, t.mass, t.origin});
  return types;
}

/// [pair], [coulomb], [eam] and [triplet]: short-range forces.
void describe_short_range(Section& top, const std::vector<std::string>& types, MdConfig& c,
                          const Extensions& parts) {
  describe_pairs(top, types, c.start.coefficients, c.pairs, parts.pairs);
  c.has_eam = top.optional_table(
      "eam",
      validated([&](Section& s) { describe_eam(s, c.eam, parts.eam); },
                [&](const Section& s) { validate_eam(s, types, c.units, c.eam); }),
      "an embedded-atom potential, in place of pair potentials");
  if (parts.three_body.empty())
    return refuse_without_plugin(top, "triplet", "three-body potentials");
  c.has_three_body = top.optional_table(
      "triplet",
      [&](Section& s) { describe_three_body(s, parts.three_body, c.units, c.three_body); },
      "a three-body potential, in place of pair potentials");
}

/// Only one of the kinds of short-range forces may be given.
void validate_short_range(const MdConfig& c) {
  if (c.has_eam && c.pairs.is_given())
    c.keys.fail("eam", "[eam] and [pair] or [coulomb] are both given",
                "embedded-atom potentials contain pair potentials; remove one of them");
  if (c.has_three_body && (c.pairs.is_given() || c.has_eam))
    c.keys.fail(
        "triplet",
        fmt::format("[triplet] and {} are both given", c.has_eam ? "[eam]" : "[pair] or [coulomb]"),
        "three-body potentials contain pair potentials; remove one of them");
}

/// Takes masses that the configuration omits from an embedded-atom potential. ConfigError for types
/// without a mass, or of no element of the potential.
void validate_masses(MdConfig& c) {
  if (c.has_eam) {
    const std::vector<EamType> types = eam_types_of(c.start);
    refuse_unknown_types(c.eam, types);
    c.eam_warning = mass_warning(c.eam, types);
    for (std::size_t t = 0; t < types.size(); ++t) {
      TypeConfig& type = c.start.types[t];
      if (!(type.mass > 0)) type.mass = c.eam.masses[t];
    }
  }
  for (const TypeConfig& type : c.start.types)
    if (!(type.mass > 0)) fail_without_mass(type);
}

}  // namespace

void describe_md(Section& top, MdConfig& c, const Extensions& parts) {
  c.keys = top.locations();
  top.required_table("md",
                     validated([&c](Section& s) { describe_run(s, c); },
                               [&c](const Section& s) { validate_run(s, c); }),
                     "parameters of the run");
  c.start.units = &units_of(c.units);
  describe_start(top, c.start);
  c.pushes_off = top.optional_table(
      "push_off", [&c](Section& s) { describe_push_off(s, c.push_off); },
      "separation of overlapping atoms before the first step by a soft potential of increasing "
      "height (a minimisation applies it by itself where needed)");
  const std::vector<std::string> types = c.start.type_names();
  describe_short_range(top, types, c, parts);
  describe_bonded(top, c.bonded, parts.bonded);
  describe_motion(top, c.motion, {parts.integrators, parts.thermostats, parts.barostats});
  top.optional_table(
      "thermo", [&c](Section& s) { c.thermo.describe(s); },
      "table of temperature, energies and pressure");
  describe_observe(top, c.observe, parts.observers);
  describe_trajectories(top, c.trajectories);
  top.optional_table(
      "balance", [&c](Section& s) { describe_balance(s, c.balance); },
      "load balance between ranks; never changes results");
}

void validate_md(MdConfig& c) {
  validate_short_range(c);
  validate_masses(c);
  const std::vector<std::string> types = c.start.type_names();
  validate_motion(c.motion, types);
  validate_observe(c.observe, types);
  validate_trajectories(c.trajectories, types);
}

}  // namespace gsim::md
