#include "src/modules/md/many_body/eam_config.hpp"

#include <fmt/format.h>

#include "src/modules/md/elements.hpp"

namespace gsim::md {

void describe_eam(Section& s, EamConfig& c, std::span<const EamKind* const> kinds) {
  std::vector<Section::Alternative> formats;
  for (const EamKind* kind : kinds)
    formats.push_back({std::string(kind->name), std::string(kind->doc),
                       [&c, kind](Section& a) { c.make = kind->describe(a); }});
  s.alternatives("format", formats, -1, {.doc = "format of the tables, or functional form"});
}

void validate_eam(const Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& c) {
  static_cast<EamChoice&>(c) = c.make(s, types);
  if (units != UnitSystem::metal)
    s.fail("format", "tables of embedded-atom potentials are in eV and angstrom",
           "set units = \"metal\" in [md]");
  for (const char* key : {"format", "file", "files", "cutoff"})
    if (s.has(key)) c.where = s.location(key);
  c.masses.clear(), c.symbols.clear();
  for (const std::size_t e : c.elements) {
    const EamElement& element = c.potential.elements[e];
    const ChemicalElement* known = element_numbered(element.atomic_number);
    c.masses.push_back(element.mass);
    c.symbols.push_back(!element.name.empty() ? element.name
                        : known != nullptr    ? std::string(known->symbol)
                                              : std::string());
  }
  c.summary += fmt::format("; cutoff {} angstrom", c.potential.cutoff);
}

}  // namespace gsim::md
