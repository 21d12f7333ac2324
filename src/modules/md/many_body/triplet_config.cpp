#include "src/modules/md/many_body/triplet_config.hpp"

#include <cmath>

#include <fmt/format.h>

#include "src/modules/md/pair_potentials/parameter_info.hpp"

namespace gsim::md {
namespace {

void read_parameter(Section& s, const PotentialParameter& p, UnitSystem units, double& value) {
  const KeyInfo info = parameter_info(p);
  const bool has_default = !std::isnan(p.usual);
  const bool is_metal = units == UnitSystem::metal || p.unit == ParameterUnit::none;
  if (!s.describing() && has_default && !is_metal && !s.has(p.name))
    s.fail(p.name, fmt::format("{} has a default in units = \"metal\" only", p.name),
           "give it in the units of this run");
  value = p.usual;
  if (has_default)
    s.optional(p.name, value, info);
  else
    s.required(p.name, value, info);
}

void read_closest(Section& s, TripletConfig& c) {
  c.closest = 0;
  s.optional("closest", c.closest,
             {.doc = "atoms nearer to each other than this are an overlap that stops the run; sets "
                     "the range that forces are summed in (0: by the kind)",
              .unit = "length",
              .minimum = 0});
  if (s.describing()) return;
  if (!(c.closest > 0)) c.closest = c.kind->closest(c.parameters.data());
  if (!(c.closest > 0 && c.closest < c.cutoff()))
    s.fail("closest", fmt::format("closest {:.6g} is not between 0 and the cutoff {:.6g}",
                                  c.closest, c.cutoff()));
}

void read_kind(Section& s, const TripletKind& kind, UnitSystem units, TripletConfig& c) {
  c.kind = &kind;
  c.parameters.assign(kind.parameters.size(), 0.0);
  for (std::size_t k = 0; k < kind.parameters.size(); ++k)
    read_parameter(s, kind.parameters[k], units, c.parameters[k]);
  if (!s.describing())
    if (const char* const problem = kind.problem(c.parameters.data()))
      s.fail("kind", problem, "compare the parameters with those of the potential's source");
  read_closest(s, c);
}

}  // namespace

void describe_triplet(Section& s, std::span<const TripletKind* const> kinds, UnitSystem units,
                      TripletConfig& c) {
  std::vector<Section::Alternative> list;
  for (const TripletKind* kind : kinds)
    list.push_back({std::string(kind->name), std::string(kind->doc),
                    [&c, kind, units](Section& a) { read_kind(a, *kind, units, c); }});
  s.alternatives("kind", list, -1, {.doc = "the potential, of atoms of any type"});
  if (s.describing()) return;
  c.where = s.location("kind");
  c.summary = fmt::format("{}; cutoff {:.6g}", c.kind->name, c.cutoff());
}

}  // namespace gsim::md
