#include "src/modules/md/observers/observe_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/observers/plugin_observer.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

using Types = std::vector<std::string>;

/// The names that the user gives, of which each must be one of `known`.
void describe_types(Section& s, const Types& known, Types& types, const char* doc) {
  s.optional("types", types, {.doc = doc});
  if (!s.describing()) check_types(s, types, known);
}

void describe_lags(Section& s, Index& lags, const char* doc) {
  s.optional("lags", lags, {.doc = doc, .minimum = 1, .maximum = 1e5});
}

void describe_radial(Section& s, const Types& known, RadialDistributionConfig& c) {
  s.required(
      "r_max", c.r_max,
      {.doc = "largest distance; with the skin at most half of the box's width along periodic "
              "axes, and free to exceed the potential's cutoff",
       .unit = "length",
       .minimum = 0,
       .exclusive_minimum = true});
  s.optional("bins", c.bins, {.doc = "bins between 0 and r_max", .minimum = 1, .maximum = 1e5});
  describe_types(s, known, c.types, "atom types whose pairs are counted (default: all)");
}

void describe_displacement(Section& s, const Types& known, DisplacementConfig& c) {
  s.optional("lags", c.plan.lags,
             {.doc = "lag times of a level: 1, 2, … times its spacing, which is `every` steps at "
                     "the first level and `lags` times longer at each next one",
              .minimum = 2,
              .maximum = 1e4});
  s.optional("levels", c.plan.levels,
             {.doc = "levels; lag times reach up to lags^levels times `every` steps",
              .minimum = 1,
              .maximum = 16});
  s.optional("origins", c.plan.origins,
             {.doc = "time origins of a level at a time, a divisor of `lags`; each takes 36 bytes "
                     "an atom",
              .minimum = 1,
              .maximum = 100});
  describe_types(s, known, c.types, "atom types (default: all)");
  if (s.describing()) return;
  if (const PlanProblem problem = problem_of(c.plan); problem.key != nullptr)
    s.fail(problem.key, problem.what);
}

void describe_velocities(Section& s, const Types& known, VelocityAutocorrelationConfig& c) {
  s.optional("lags", c.lags,
             {.doc = "lag times: 0, 1, … times `every` steps; the integral needs the function's "
                     "decay inside, and `every` short beside it",
              .minimum = 2,
              .maximum = 2e4});
  s.optional("origins", c.origins,
             {.doc = "time origins at a time, a divisor of `lags`; each takes 24 bytes an atom",
              .minimum = 1,
              .maximum = 100});
  describe_types(s, known, c.types, "atom types (default: all)");
  if (s.describing()) return;
  if (c.lags % c.origins != 0)
    s.fail("origins", fmt::format("{} does not divide `lags` = {}", c.origins, c.lags));
}

void describe_green_kubo(Section& s, GreenKuboConfig& c) {
  describe_lags(s, c.lags,
                "lag times: 0, 1, … times `every` steps; the integral needs the function's decay "
                "inside, and errors a run of 20 windows or more");
}

void describe_profile(Section& s, const Types& known, DensityProfileConfig& c) {
  static constexpr std::string_view axes[] = {"x", "y", "z"};
  s.optional_word("axis", c.axis, axes,
                  {.doc = "the box vector along which slabs are counted: x the first, …"});
  s.optional("bins", c.bins, {.doc = "slabs", .minimum = 1, .maximum = 1e4});
  describe_types(s, known, c.types, "atom types that are counted (default: all)");
}

/// Of plugins.
using MoreObservers = std::span<const AtomObserverKind* const>;

void describe_one(Section& s, const Types& types, MoreObservers more, ObserveConfig& c) {
  const auto word = [](ObserveKind kind) {
    return std::string(observer_words()[static_cast<std::size_t>(kind)]);
  };
  std::vector<Section::Alternative> kinds = {
      {word(ObserveKind::radial_distribution),
       "radial distribution functions and coordination numbers",
       [&](Section& a) { describe_radial(a, types, c.radial_distribution); }},
      {word(ObserveKind::mean_square_displacement),
       "mean-square displacements and diffusion coefficients",
       [&](Section& a) { describe_displacement(a, types, c.displacement); }},
      {word(ObserveKind::velocity_autocorrelation),
       "velocity autocorrelation and diffusion coefficients",
       [&](Section& a) { describe_velocities(a, types, c.velocity_autocorrelation); }},
      {word(ObserveKind::viscosity), "shear viscosity by Green and Kubo",
       [&](Section& a) { describe_green_kubo(a, c.green_kubo); }},
      {word(ObserveKind::conductivity), "electrical conductivity by Green and Kubo",
       [&](Section& a) { describe_green_kubo(a, c.green_kubo); }},
      {word(ObserveKind::thermal_conductivity),
       "thermal conductivity of atoms of one type with pair forces alone, by Green and Kubo",
       [&](Section& a) { describe_green_kubo(a, c.green_kubo); }},
      {word(ObserveKind::density_profile), "density, charge, temperature and velocity in slabs",
       [&](Section& a) { describe_profile(a, types, c.density_profile); }}};
  for (const AtomObserverKind* one : more)
    kinds.push_back({std::string(one->name), std::string(one->doc), [&c, one](Section& a) {
                       c.make = one->describe(a);
                       GSIM_VALIDATE(c.make || a.describing(),
                                     fmt::format("describe of `{}` returned nothing", one->name),
                                     "return what makes the observer");
                     }});
  const int kind = s.alternatives("kind", kinds, -1, {.doc = "what is measured"});
  c.kind = static_cast<ObserveKind>(std::min(kind, static_cast<int>(ObserveKind::plugin)));
  s.optional("name", c.name,
             {.doc = "what the results are called: observables/NAME (default: the kind)"});
  s.optional("every", c.steps.every, {.doc = "steps between samples", .minimum = 1});
  s.optional(
      "from", c.steps.from,
      {.doc = "first step of the averages: what comes before is equilibration", .minimum = 0});
  if (s.describing()) return;
  c.where = s.location(s.has("r_max") ? "r_max" : "kind");
  c.types_at = s.location("types");
  c.from_at = s.location("from");
  if (c.name.empty()) c.name = kinds[static_cast<std::size_t>(kind)].word;
  if (c.name.find('/') != std::string::npos)
    s.fail("name", fmt::format("`{}` holds a slash", excerpt(c.name)),
           "use letters, digits, _ and -");
}

}  // namespace

std::span<const std::string_view> observer_words() {
  static constexpr std::string_view words[] = {
      "radial_distribution", "mean_square_displacement", "velocity_autocorrelation", "viscosity",
      "conductivity",        "thermal_conductivity",     "density_profile"};
  return words;
}

void describe_observe(Section& top, const Types& types, std::vector<ObserveConfig>& list,
                      MoreObservers more) {
  top.tables(
      "observe", [&](Index n) { list.assign(static_cast<std::size_t>(n), {}); },
      [&](Section& s, Index i) {
        ObserveConfig& c = list[static_cast<std::size_t>(i)];
        describe_one(s, types, more, c);
        if (s.describing()) return;
        for (Index k = 0; k < i; ++k)
          if (list[static_cast<std::size_t>(k)].name == c.name)
            s.fail(s.has("name") ? "name" : "kind",
                   fmt::format("two observers are called `{}`", excerpt(c.name)),
                   "give each a name");
      },
      "what is measured during the run, each with its standard error");
}

const std::vector<std::string>& observed_types(const ObserveConfig& c) {
  static const std::vector<std::string> all;
  switch (c.kind) {
    case ObserveKind::radial_distribution:
      return c.radial_distribution.types;
    case ObserveKind::mean_square_displacement:
      return c.displacement.types;
    case ObserveKind::velocity_autocorrelation:
      return c.velocity_autocorrelation.types;
    case ObserveKind::density_profile:
      return c.density_profile.types;
    default:
      return all;
  }
}

double observed_reach(std::span<const ObserveConfig> list) {
  double reach = 0;
  for (const ObserveConfig& c : list)
    if (c.kind == ObserveKind::radial_distribution)
      reach = std::max(reach, c.radial_distribution.r_max);
  return reach;
}

void check_observers(std::span<const ObserveConfig> list, const Box& box, double skin,
                     bool is_charged) {
  for (const ObserveConfig& c : list) {
    const double r_max = c.radial_distribution.r_max;
    for (int axis = 0; axis < 3; ++axis)
      if (c.kind == ObserveKind::radial_distribution && box.boundary(axis) == Boundary::periodic &&
          2 * (r_max + skin) > box.width(axis))
        throw ConfigError(
            c.where,
            fmt::format("observer `{}`: r_max = {} and the skin, {}, reach beyond half of the "
                        "periodic box, which is {:.6g} wide across axis {}",
                        excerpt(c.name), r_max, skin, box.width(axis), "xyz"[axis]),
            "choose a smaller r_max, or a larger box");
    if (c.kind == ObserveKind::conductivity && !is_charged)
      throw ConfigError(c.where,
                        fmt::format("observer `{}`: no atom has a charge", excerpt(c.name)),
                        "a conductivity needs charges, of atoms or of types");
  }
}

std::vector<std::unique_ptr<Observer>> make_observers(std::span<const ObserveConfig> list,
                                                      const ObserverSetup& setup,
                                                      Particles& particles) {
  std::vector<std::unique_ptr<Observer>> all;
  for (const ObserveConfig& c : list) switch (c.kind) {
      case ObserveKind::radial_distribution:
        all.push_back(
            std::make_unique<RadialDistribution>(c.name, c.steps, c.radial_distribution, setup));
        break;
      case ObserveKind::mean_square_displacement:
        all.push_back(std::make_unique<MeanSquareDisplacement>(c.name, c.steps, c.displacement,
                                                               setup, particles));
        break;
      case ObserveKind::velocity_autocorrelation:
        all.push_back(std::make_unique<VelocityAutocorrelation>(
            c.name, c.steps, c.velocity_autocorrelation, setup, particles));
        break;
      case ObserveKind::viscosity:
        all.push_back(std::make_unique<Viscosity>(c.name, c.steps, c.green_kubo, setup));
        break;
      case ObserveKind::conductivity:
        all.push_back(
            std::make_unique<Conductivity>(c.name, c.steps, c.green_kubo, setup, particles));
        break;
      case ObserveKind::thermal_conductivity:
        all.push_back(std::make_unique<ThermalConductivity>(c.name, c.steps, c.green_kubo, setup));
        break;
      case ObserveKind::density_profile:
        all.push_back(
            std::make_unique<DensityProfile>(c.name, c.steps, c.density_profile, setup, particles));
        break;
      case ObserveKind::plugin:
        all.push_back(at_place(c.where, [&] {
          return std::make_unique<PluginObserver>(c.name, c.steps, c.make, setup);
        }));
        break;
    }
  return all;
}

}  // namespace gsim::md
