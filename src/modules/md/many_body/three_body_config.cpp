#include "src/modules/md/many_body/three_body_config.hpp"

#include <cmath>

#include <fmt/format.h>

#include "src/modules/md/pair_potentials/parameter_info.hpp"

namespace gsim::md {
namespace {

bool has_default(const PotentialParameter& p) { return !std::isnan(p.default_value); }

void describe_kind(Section& s, const ThreeBodyKind& kind, ThreeBodyConfig& c) {
  c.kind = &kind;
  c.parameters.clear();
  for (const PotentialParameter& p : kind.parameters) {
    double value = p.default_value;
    if (has_default(p))
      s.optional(p.name, value, parameter_info(p));
    else
      s.required(p.name, value, parameter_info(p));
    c.parameters.push_back(value);
  }
  c.closest = 0;
  s.optional("closest", c.closest,
             {.doc = "distance below which two atoms count as overlapping, which ends the run; "
                     "determines the range of the fixed-point forces (0: chosen by the kind)",
              .unit = "length",
              .minimum = 0});
}

void validate_kind(const Section& s, UnitSystem units, ThreeBodyConfig& c) {
  for (const PotentialParameter& p : c.kind->parameters) {
    const bool is_default_valid = units == UnitSystem::metal || p.unit == ParameterUnit::none;
    if (has_default(p) && !is_default_valid && !s.has(p.name))
      s.fail(p.name, fmt::format("{} has a default in units = \"metal\" only", p.name),
             "give it in the units of this run");
  }
  if (const char* const problem = c.kind->problem(c.parameters.data()))
    s.fail("kind", problem,
           "compare the parameters with those of the publication of the potential");
  if (!(c.closest > 0)) c.closest = c.kind->closest(c.parameters.data());
  if (!(c.closest > 0 && c.closest < c.cutoff()))
    s.fail("closest", fmt::format("closest {:.6g} is not between 0 and the cutoff {:.6g}",
                                  c.closest, c.cutoff()));
  c.summary = fmt::format("{}; cutoff {:.6g}", c.kind->name, c.cutoff());
}

}  // namespace

void describe_three_body(Section& s, std::span<const ThreeBodyKind* const> kinds, UnitSystem units,
                         ThreeBodyConfig& c) {
  std::vector<Section::Alternative> list;
  for (const ThreeBodyKind* kind : kinds)
    list.push_back({std::string(kind->name), std::string(kind->doc),
                    validated([&c, kind](Section& a) { describe_kind(a, *kind, c); },
                              [&c, units](const Section& a) { validate_kind(a, units, c); })});
  s.alternatives("kind", list, -1, {.doc = "style of the potential, which applies to all types"});
  c.where = s.location("kind");
}

}  // namespace gsim::md
