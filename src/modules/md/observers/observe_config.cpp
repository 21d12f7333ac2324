#include "src/modules/md/observers/observe_config.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "src/modules/md/type_names.hpp"

namespace gsim::md {
namespace {

void describe_observer_table(Section& s, std::span<const ObserverKind* const> all,
                             ObserveConfig& c) {
  std::vector<Section::Alternative> kinds;
  for (const ObserverKind* kind : all)
    kinds.push_back({std::string(kind->name), std::string(kind->doc),
                     validated(
                         [&c, kind](Section& a) {
                           c.kind = kind->name;
                           c.plan = kind->describe(a);
                         },
                         [&c](const Section&) {
                           GSIM_VALIDATE(
                               c.plan.make,
                               fmt::format("describe() of `{}` returned an empty plan", c.kind),
                               "set the member `make` of the plan");
                         })});
  s.alternatives("kind", kinds, -1, {.doc = "kind of observer"});
  s.optional("name", c.name, {.doc = "name of the results, observables/NAME (default: the kind)"});
  s.optional("every", c.steps.every, {.doc = "steps between samples", .minimum = 1});
  s.optional("from", c.steps.from,
             {.doc = "first step of the averages; earlier steps are equilibration", .minimum = 0});
  if (c.name.empty()) c.name = c.kind;
  c.keys = s.locations();
}

}  // namespace

void describe_observe(Section& top, std::vector<ObserveConfig>& list,
                      std::span<const ObserverKind* const> kinds) {
  top.tables(
      "observe", [&](Index n) { list.assign(static_cast<std::size_t>(n), {}); },
      [&](Section& s, Index i) {
        describe_observer_table(s, kinds, list[static_cast<std::size_t>(i)]);
      },
      "observers: quantities that are measured during the run, with standard errors");
}

void validate_observe(std::span<const ObserveConfig> list, const std::vector<std::string>& types) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const ObserveConfig& c = list[i];
    check_types(c.keys, c.plan.types, types);
    if (c.plan.validate) c.plan.validate();
    if (c.name.find('/') != std::string::npos)
      c.keys.fail("name", fmt::format("`{}` contains a slash", excerpt(c.name)),
                  "use letters, digits, _ and -");
    for (std::size_t k = 0; k < i; ++k)
      if (list[k].name == c.name)
        c.keys.fail(c.keys.has("name") ? "name" : "kind",
                    fmt::format("two observers have the name `{}`", excerpt(c.name)),
                    "give each its own name");
  }
}

double observed_reach(std::span<const ObserveConfig> list) {
  double reach = 0;
  for (const ObserveConfig& c : list) reach = std::max(reach, c.plan.reach);
  return reach;
}

std::vector<std::unique_ptr<Observer>> make_observers(std::span<const ObserveConfig> list,
                                                      const ObserverSetup& setup,
                                                      Particles& particles) {
  std::vector<std::unique_ptr<Observer>> all;
  for (const ObserveConfig& c : list) {
    all.push_back(locate_errors(c.keys.location("kind"), [&] {
      return c.plan.make({c.name, c.steps, setup, particles});
    }));
    if (all.back() == nullptr)
      throw Error(fmt::format("the factory of observer `{}` returned null", c.name));
  }
  return all;
}

}  // namespace gsim::md
