#include "src/modules/md/integrators/motion_config.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/thermostats/plugin_thermostat.hpp"
#include "src/modules/md/thermostats/thermostat.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

/// A number that stays, or one that runs from the first step to the last.
void describe_ramp(Section& s, std::string_view key, Ramp& ramp, const KeyInfo& info) {
  Ramp ends;
  double number = 0;
  const bool is_table = s.number_or_table(
      key, number, info,
      [&](Section& t) {
        t.required("start", ends.start,
                   {.doc = "value at the first step",
                    .unit = info.unit,
                    .minimum = info.minimum,
                    .exclusive_minimum = info.exclusive_minimum});
        t.required("end", ends.end,
                   {.doc = "value at the last step, linear in between",
                    .unit = info.unit,
                    .minimum = info.minimum,
                    .exclusive_minimum = info.exclusive_minimum});
      },
      true);
  if (s.describing()) return;
  ramp = is_table ? ends : Ramp{number, number};
}

void describe_time(Section& s, double& time, const std::string& doc) {
  s.required("time", time, {.doc = doc, .unit = "time", .minimum = 0, .exclusive_minimum = true});
}

void describe_chain(Section& s, Index& chain, const std::string& doc) {
  s.optional("chain", chain, {.doc = doc, .minimum = 1, .maximum = 16});
}

/// `more`: of plugins, besides gsim's own.
using MoreThermostats = std::span<const ScalingThermostat* const>;

void describe_thermostat(Section& s, MoreThermostats more, ThermostatConfig& t) {
  std::vector<Section::Alternative> kinds{
      {"langevin", "friction and noise on every atom, BAOAB (Leimkuhler and Matthews 2013)",
       [&](Section& a) {
         a.required("friction", t.friction,
                    {.doc = "rate at which atoms forget their velocities",
                     .unit = "1/time",
                     .minimum = 0,
                     .exclusive_minimum = true});
       }}};
  const auto add = [&](const ScalingThermostat& kind, bool is_own) {
    kinds.push_back(
        {std::string(kind.name), std::string(kind.doc), [&t, &kind, is_own](Section& a) {
           t.make = kind.describe(a);
           if (t.make && !is_own)
             t.make = sound_thermostat(std::string(kind.name), std::move(t.make));
           GSIM_VALIDATE(t.make || a.describing(),
                         fmt::format("describe of `{}` returned nothing", kind.name),
                         "return what makes the thermostat");
         }});
  };
  for (const ScalingThermostat& kind : scaling_thermostats()) add(kind, true);
  for (const ScalingThermostat* kind : more) add(*kind, false);
  t.make = {};
  const int kind = s.alternatives("kind", kinds, -1, {.doc = "what keeps the temperature"});
  describe_ramp(s, "temperature", t.temperature,
                {.doc = "target", .unit = "temperature", .minimum = 0, .exclusive_minimum = true});
  if (s.describing()) return;
  t.kind = static_cast<ThermostatKind>(std::min(kind, static_cast<int>(ThermostatKind::plugin)));
  t.where = s.location();
  t.time_at = s.location(s.has("time") ? "time" : "kind");
}

void describe_barostat(Section& s, BarostatConfig& b) {
  static constexpr std::string_view couplings[] = {"isotropic", "xyz"};
  const int kind = s.alternatives(
      "kind",
      {{"mtk", "a piston with inertia and a thermostat of its own (Martyna, Tobias and Klein 1994)",
        [&](Section& a) {
          describe_time(a, b.time,
                        "time over which the volume swings: the piston's mass is its square times "
                        "the degrees of freedom and 3, times kB T");
          describe_chain(a, b.chain, "links of the piston's thermostat");
        }},
       {"stochastic_cell_rescaling",
        "overdamped changes of volume that sample the ensemble (Bernetti and Bussi 2020)",
        [&](Section& a) {
          describe_time(a, b.time, "time in which the pressure relaxes");
          a.required("compressibility", b.compressibility,
                     {.doc = "an estimate of the isothermal compressibility: together with `time` "
                             "it says how fast the volume changes, not which it comes to",
                      .unit = "1/pressure",
                      .minimum = 0,
                      .exclusive_minimum = true});
        }}},
      -1, {.doc = "what keeps the pressure"});
  describe_ramp(s, "pressure", b.pressure, {.doc = "target", .unit = "pressure"});
  s.optional("coupling", b.coupling, couplings,
             {.doc = "\"isotropic\": all lengths by one factor, from the mean pressure; \"xyz\": "
                     "each by its own, from the pressure along it"});
  if (s.describing()) return;
  b.kind = static_cast<BarostatKind>(kind);
  b.where = s.location();
  b.time_at = s.location("time");
  b.coupling_at = s.location("coupling");
}

void describe_region(Section& s, GroupConfig& g) {
  s.required("lower", g.lower,
             {.doc = "corner with the smallest coordinates; -inf for no bound",
              .unit = "length",
              .allow_infinity = true,
              .min_size = 3,
              .max_size = 3});
  s.required("upper", g.upper,
             {.doc = "the opposite corner, which is outside; inf for no bound",
              .unit = "length",
              .allow_infinity = true,
              .min_size = 3,
              .max_size = 3});
  if (s.describing()) return;
  for (std::size_t a = 0; a < 3; ++a)
    if (!(g.lower[a] < g.upper[a]))
      s.fail("upper", fmt::format("the region is empty: along {} it would reach from {} to {}",
                                  "xyz"[a], g.lower[a], g.upper[a]));
}

void describe_group(Section& s, const std::vector<std::string>& types, MoreThermostats more,
                    GroupConfig& g) {
  s.required("name", g.name, {.doc = "what output calls the group"});
  s.optional("types", g.types, {.doc = "names of atom types; without it, any"});
  s.optional("ids", g.ids,
             {.doc = "first and last id, both included; without it, any", .max_size = 2});
  s.optional_table(
      "region", [&](Section& r) { describe_region(r, g); },
      "a box: atoms that start in it; without it, anywhere");
  s.optional("frozen", g.frozen, {.doc = "whether the atoms stay where they are"});
  ThermostatConfig own;
  const bool has_own = s.optional_table(
      "thermostat", [&](Section& t) { describe_thermostat(t, more, own); },
      "the group's own thermostat; that of the top level then leaves it alone");
  if (s.describing()) return;
  g.thermostat = has_own ? std::optional(own) : std::nullopt;
  for (const char* mark : {"types", "ids", "region"})
    if (s.has(mark)) g.where = s.location(mark);
  check_types(s, g.types, types);
  if (g.name.empty()) s.fail("name", "a group needs a name");
  if (!g.ids.empty() && (g.ids.size() != 2 || g.ids[0] > g.ids[1]))
    s.fail("ids", "ids are the first and the last one, in this order");
  if (g.types.empty() && g.ids.empty() && g.lower.empty())
    s.fail("name", fmt::format("nothing says which atoms belong to `{}`", excerpt(g.name)),
           "give types, ids or a region");
  if (g.frozen && has_own)
    s.fail("thermostat", "atoms that do not move have no temperature",
           "leave out `frozen` or the thermostat");
}

void describe_kind(Section& s, MotionConfig& config) {
  MinimiseConfig& m = config.minimise;
  const int kind = s.alternatives(
      "kind",
      {{"velocity_verlet", "Newton's equations in time (Swope et al. 1982)", [](Section&) {}},
       {"minimise",
        "downhill to a minimum of the energy, FIRE 2.0 (Guénolé et al. 2020); velocities are the "
        "minimiser's own",
        [&](Section& a) {
          a.required("force_tolerance", m.force_tolerance,
                     {.doc = "the run ends when no atom feels a larger force",
                      .unit = "force",
                      .minimum = 0,
                      .exclusive_minimum = true});
          a.required("max_displacement", m.max_displacement,
                     {.doc = "how far an atom may move in one step; a tenth of an atom's size is "
                             "sound",
                      .unit = "length",
                      .minimum = 0,
                      .exclusive_minimum = true});
        }}},
      0, {.doc = "what moves atoms"});
  s.optional(
      "momentum_removal", config.momentum_removal,
      {.doc = "steps from one removal of the total momentum to the next; 0: never", .minimum = 0});
  if (!s.describing()) config.kind = static_cast<MotionKind>(kind);
}

void check_groups(const Section& top, const MotionConfig& config) {
  if (config.groups.size() > most_groups)
    top.fail("group", fmt::format("{} groups are too many", config.groups.size()),
             fmt::format("at most {} are possible", most_groups));
  for (std::size_t i = 0; i < config.groups.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (config.groups[i].name == config.groups[j].name)
        top.fail("group",
                 fmt::format("two groups are called `{}`", excerpt(config.groups[i].name)));
}

void check_together(const Section& top, const MotionConfig& config) {
  const bool minimises = config.kind == MotionKind::minimise;
  if (minimises && config.thermostat)
    top.fail("thermostat", "a minimiser has no temperature", "leave the thermostat out");
  if (minimises && config.momentum_removal > 0)
    top.fail("motion", "a minimiser has no momentum to remove", "leave momentum_removal out");
  if (config.barostat && minimises)
    top.fail("barostat", "the minimiser does not change the box", "leave the barostat out");
  if (config.barostat && !config.thermostat)
    top.fail("barostat", "a barostat needs the temperature of what it compresses",
             "add a [thermostat]");
  for (const GroupConfig& g : config.groups) {
    if (g.thermostat && minimises)
      top.fail("group", fmt::format("a minimiser has no temperature, but group `{}` has a "
                                    "thermostat",
                                    excerpt(g.name)));
    if (config.barostat && (g.frozen || g.thermostat))
      top.fail(
          "barostat",
          fmt::format("a barostat moves all atoms alike, but group `{}` {}", excerpt(g.name),
                      g.frozen ? "is frozen" : "has its own thermostat"),
          g.frozen ? "let the group move or the box stay" : "use one [thermostat] for all atoms");
  }
}

}  // namespace

void check_times(const MotionConfig& config, double time_step) {
  const auto check_thermostat = [&](const std::optional<ThermostatConfig>& t) {
    if (t && t->make)
      at_place(t->time_at, [&] { return t->make({.freedom = 3, .time_step = time_step}); });
  };
  check_thermostat(config.thermostat);
  for (const GroupConfig& g : config.groups) check_thermostat(g.thermostat);
  if (config.barostat && !(config.barostat->time >= 5 * time_step))
    throw ConfigError(
        config.barostat->time_at,
        fmt::format("the time of the barostat, {:g}, is less than five time steps of {:g}",
                    config.barostat->time, time_step),
        "give at least five, rather a hundred");
}

void describe_motion(Section& top, const std::vector<std::string>& types, MotionConfig& config,
                     MoreThermostats more) {
  top.optional_table(
      "motion", [&](Section& s) { describe_kind(s, config); }, "what moves atoms");
  ThermostatConfig thermostat;
  const bool has_thermostat = top.optional_table(
      "thermostat", [&](Section& s) { describe_thermostat(s, more, thermostat); },
      "keeps the temperature of all atoms that move and belong to no group with its own");
  BarostatConfig barostat;
  const bool has_barostat = top.optional_table(
      "barostat", [&](Section& s) { describe_barostat(s, barostat); }, "keeps the pressure");
  top.tables<GroupConfig>(
      "group", config.groups,
      [&](Section& s, GroupConfig& g) { describe_group(s, types, more, g); },
      "atoms that are treated apart: those that all given marks fit");
  if (top.describing()) return;
  config.thermostat = has_thermostat ? std::optional(thermostat) : std::nullopt;
  config.barostat = has_barostat ? std::optional(barostat) : std::nullopt;
  check_groups(top, config);
  check_together(top, config);
}

}  // namespace gsim::md
