#include "src/modules/md/integrators/motion_config.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

/// Describes a number, or a table of its values at the first and the last step.
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
                   {.doc = "value at the last step, linear ramp in between",
                    .unit = info.unit,
                    .minimum = info.minimum,
                    .exclusive_minimum = info.exclusive_minimum});
      },
      true);
  ramp = is_table ? ends : Ramp{number, number};
}

void describe_thermostat(Section& s, const MotionKinds& all, ThermostatConfig& t) {
  std::vector<Section::Alternative> kinds;
  t.plan = {};
  for (const ThermostatKind* kind : all.thermostats)
    kinds.push_back({std::string(kind->name), std::string(kind->doc),
                     validated(
                         [&t, kind](Section& a) {
                           t.kind = kind->name;
                           t.plan = kind->describe(a);
                         },
                         [&t](const Section&) {
                           GSIM_VALIDATE(
                               t.plan.make || t.plan.friction > 0,
                               fmt::format("describe() of `{}` returned an empty plan", t.kind),
                               "set the member `make` or `friction` of the plan");
                         })});
  s.alternatives("kind", kinds, -1, {.doc = "style of the thermostat"});
  describe_ramp(s, "temperature", t.temperature,
                {.doc = "target temperature",
                 .unit = "temperature",
                 .minimum = 0,
                 .exclusive_minimum = true});
  t.where = s.location();
  t.time_at = s.location(s.has("time") ? "time" : "kind");
}

void describe_barostat(Section& s, const MotionKinds& all, BarostatConfig& b) {
  static constexpr std::string_view couplings[] = {"isotropic", "xyz"};
  std::vector<Section::Alternative> kinds;
  for (const BarostatKind* kind : all.barostats)
    kinds.push_back({std::string(kind->name), std::string(kind->doc),
                     validated(
                         [&b, kind](Section& a) {
                           b.kind = kind->name;
                           b.plan = kind->describe(a);
                         },
                         [&b](const Section&) {
                           GSIM_VALIDATE(
                               b.plan.make,
                               fmt::format("describe() of `{}` returned an empty plan", b.kind),
                               "set the member `make` of the plan");
                         })});
  s.alternatives("kind", kinds, -1, {.doc = "style of the barostat"});
  describe_ramp(s, "pressure", b.pressure, {.doc = "target pressure", .unit = "pressure"});
  s.optional(
      "coupling", b.coupling, couplings,
      {.doc = "\"isotropic\": all box lengths change by one factor, which the mean pressure "
              "determines; \"xyz\": each length changes by its own factor, which the pressure "
              "along its axis determines"});
  b.where = s.location();
  b.time_at = s.location("time");
  b.coupling_at = s.location("coupling");
}

void describe_region(Section& s, GroupConfig& g) {
  s.required("lower", g.lower,
             {.doc = "corner with the smallest coordinates, inclusive; -inf: no bound",
              .unit = "length",
              .allow_infinity = true,
              .min_size = 3,
              .max_size = 3});
  s.required("upper", g.upper,
             {.doc = "corner with the largest coordinates, exclusive; inf: no bound",
              .unit = "length",
              .allow_infinity = true,
              .min_size = 3,
              .max_size = 3});
  g.region_keys = s.locations();
}

void describe_group(Section& s, const MotionKinds& kinds, GroupConfig& g) {
  s.required("name", g.name, {.doc = "name of the group in output"});
  s.optional("types", g.types, {.doc = "names of the atom types; left out: all types"});
  s.optional(
      "ids", g.ids,
      {.doc = "first and last id of the atoms, both included; left out: all ids", .max_size = 2});
  s.optional_table(
      "region", [&](Section& r) { describe_region(r, g); },
      "box that contains the initial positions of the atoms; left out: all positions");
  s.optional("frozen", g.frozen, {.doc = "whether the atoms are fixed"});
  ThermostatConfig thermostat;
  const bool has_thermostat = s.optional_table(
      "thermostat", [&](Section& t) { describe_thermostat(t, kinds, thermostat); },
      "thermostat of the group, in place of the top-level [thermostat]");
  g.thermostat = has_thermostat ? std::optional(thermostat) : std::nullopt;
  g.keys = s.locations();
  for (const char* selection : {"types", "ids", "region"})
    if (s.has(selection)) g.where = s.location(selection);
}

void validate_group(const GroupConfig& g, const std::vector<std::string>& types) {
  for (std::size_t a = 0; a < g.lower.size(); ++a)
    if (!(g.lower[a] < g.upper[a]))
      g.region_keys.fail("upper",
                         fmt::format("the region is empty: along {} it would reach from {} to {}",
                                     "xyz"[a], g.lower[a], g.upper[a]));
  check_types(g.keys, g.types, types);
  if (g.name.empty()) g.keys.fail("name", "a group needs a name");
  if (!g.ids.empty() && (g.ids.size() != 2 || g.ids[0] > g.ids[1]))
    g.keys.fail("ids", "ids are the first and the last one, in this order");
  if (g.types.empty() && g.ids.empty() && g.lower.empty())
    g.keys.fail("name", fmt::format("nothing says which atoms belong to `{}`", excerpt(g.name)),
                "give types, ids or a region");
  if (g.frozen && g.thermostat)
    g.keys.fail("thermostat", "atoms that do not move have no temperature",
                "leave out `frozen` or the thermostat");
}

void describe_kind(Section& s, const MotionKinds& all, MotionConfig& config) {
  std::vector<Section::Alternative> kinds;
  int default_position = -1;
  for (const IntegratorKind* kind : all.integrators) {
    if (kind->name == MotionConfig{}.kind) default_position = static_cast<int>(kinds.size());
    kinds.push_back(
        {std::string(kind->name), std::string(kind->doc),
         validated(
             [&config, kind](Section& a) {
               config.kind = kind->name;
               config.plan = kind->describe(a);
             },
             [&config](const Section&) {
               GSIM_VALIDATE(config.plan.make,
                             fmt::format("describe() of `{}` returned an empty plan", config.kind),
                             "set the member `make` of the plan");
             })});
  }
  s.alternatives("kind", kinds, default_position, {.doc = "integrator or minimiser"});
  s.optional(
      "momentum_removal", config.momentum_removal,
      {.doc = "number of steps between removals of the total momentum (0: never)", .minimum = 0});
}

void check_groups(const MotionConfig& config) {
  const KeyLocations& top = config.keys;
  if (config.groups.size() > max_groups)
    top.fail("group", fmt::format("{} groups are too many", config.groups.size()),
             fmt::format("at most {} are possible", max_groups));
  for (std::size_t i = 0; i < config.groups.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (config.groups[i].name == config.groups[j].name)
        top.fail("group",
                 fmt::format("two groups are called `{}`", excerpt(config.groups[i].name)));
}

/// Refuses thermostats, a barostat and removal of the momentum that the integrator does not apply.
void check_integrator(const MotionConfig& config) {
  const KeyLocations& top = config.keys;
  const IntegratorPlan& plan = config.plan;
  const auto problem = [&](const char* of_minimiser, const char* part) {
    return plan.is_minimiser() ? std::string(of_minimiser)
                               : fmt::format("integrator `{}` applies no {}", config.kind, part);
  };
  if (config.thermostat && !plan.has_thermostats)
    top.fail("thermostat", problem("a minimiser has no temperature", "thermostat"),
             "leave the thermostat out");
  if (config.momentum_removal > 0 && !plan.removes_momentum)
    top.fail("motion", problem("a minimiser has no momentum to remove", "removal of the momentum"),
             "leave momentum_removal out");
  if (config.barostat && !plan.has_barostat)
    top.fail("barostat", problem("the minimiser does not change the box", "barostat"),
             "leave the barostat out");
  for (const GroupConfig& g : config.groups)
    if (g.thermostat && !plan.has_thermostats)
      top.fail("group", fmt::format("{}, but group `{}` has a thermostat",
                                    problem("a minimiser has no temperature", "thermostat"),
                                    excerpt(g.name)));
}

void check_barostat(const MotionConfig& config) {
  const KeyLocations& top = config.keys;
  if (config.barostat && !config.thermostat)
    top.fail("barostat",
             "a barostat samples an ensemble of constant temperature, but there is no thermostat",
             "add a [thermostat]");
  for (const GroupConfig& g : config.groups) {
    if (config.barostat && (g.frozen || g.thermostat))
      top.fail(
          "barostat",
          fmt::format("a barostat moves all atoms alike, but group `{}` {}", excerpt(g.name),
                      g.frozen ? "is frozen" : "has its own thermostat"),
          g.frozen ? "leave out `frozen` or the barostat" : "use one [thermostat] for all atoms");
  }
}

}  // namespace

void describe_motion(Section& top, MotionConfig& config, const MotionKinds& kinds) {
  top.optional_table(
      "motion", [&](Section& s) { describe_kind(s, kinds, config); }, "integrator or minimiser");
  ThermostatConfig thermostat;
  const bool has_thermostat = top.optional_table(
      "thermostat", [&](Section& s) { describe_thermostat(s, kinds, thermostat); },
      "thermostat of all atoms that are not frozen and not in a group with a thermostat");
  BarostatConfig barostat;
  const bool has_barostat = top.optional_table(
      "barostat", [&](Section& s) { describe_barostat(s, kinds, barostat); }, "barostat");
  top.tables<GroupConfig>(
      "group", config.groups, [&](Section& s, GroupConfig& g) { describe_group(s, kinds, g); },
      "group of the atoms that match all of types, ids and region");
  config.thermostat = has_thermostat ? std::optional(thermostat) : std::nullopt;
  config.barostat = has_barostat ? std::optional(barostat) : std::nullopt;
  config.keys = top.locations();
}

void validate_motion(const MotionConfig& config, const std::vector<std::string>& types) {
  for (const GroupConfig& g : config.groups) validate_group(g, types);
  check_groups(config);
  check_integrator(config);
  check_barostat(config);
}

void check_times(const MotionConfig& config, double time_step) {
  const auto check_thermostat = [&](const std::optional<ThermostatConfig>& t) {
    if (t && !t->is_langevin())
      locate_errors(t->time_at,
                    [&] { return make_thermostat(*t, {.freedom = 3, .time_step = time_step}); });
  };
  check_thermostat(config.thermostat);
  for (const GroupConfig& g : config.groups) check_thermostat(g.thermostat);
  if (!config.barostat) return;
  const double time = config.barostat->plan.time;
  if (time != 0 && !(time >= 5 * time_step))
    throw ConfigError(
        config.barostat->time_at,
        fmt::format("the time of the barostat, {:g}, is less than five time steps of {:g}", time,
                    time_step),
        "give at least five time steps; a hundred or more are usual");
}

void check_barostat_box(const BarostatConfig& config, const Box& box) {
  for (int a = 0; a < 3; ++a)
    if (box.boundary(a) != Boundary::periodic)
      throw ConfigError(
          config.where,
          fmt::format("a barostat changes all box lengths, but the box is open along {}", "xyz"[a]),
          "make the box periodic, or leave the barostat out");
  if (config.coupling != Coupling::isotropic && box.is_triclinic())
    throw ConfigError(config.coupling_at,
                      "the box is triclinic, and its lengths cannot change independently",
                      "set coupling = \"isotropic\", or use a box without tilts");
}

std::unique_ptr<Integrator> make_integrator(const MotionConfig& config,
                                            const IntegratorSetup& setup) {
  std::unique_ptr<Integrator> integrator = config.plan.make(config, setup);
  if (integrator == nullptr)
    throw Error(fmt::format("the factory of integrator `{}` returned null", config.kind));
  return integrator;
}

std::unique_ptr<Thermostat> make_thermostat(const ThermostatConfig& config,
                                            const ThermostatSetup& setup) {
  std::unique_ptr<Thermostat> thermostat = config.plan.make(setup);
  if (thermostat == nullptr)
    throw Error(fmt::format("the factory of thermostat `{}` returned null", config.kind));
  return thermostat;
}

std::unique_ptr<Barostat> make_barostat(const BarostatConfig& config, const BarostatSetup& setup) {
  std::unique_ptr<Barostat> barostat = config.plan.make(setup);
  if (barostat == nullptr)
    throw Error(fmt::format("the factory of barostat `{}` returned null", config.kind));
  return barostat;
}

}  // namespace gsim::md
