#include "src/modules/md/many_body/eam_config.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/elements.hpp"
#include "src/modules/md/many_body/sutton_chen.hpp"

namespace gsim::md {
namespace {

EamFile read_potential(const Section& s, const char* key, EamFormat format,
                       const std::string& name) {
  const InputFile& input = s.input_file(key, name);
  return at_place(s.location(key), [&] { return read_eam(format, input.text, name); });
}

/// One file a type, or one for all; a file that is named twice is one element.
void describe_funcfl(Section& s, const std::vector<std::string>& types, EamConfig& c) {
  std::vector<std::string> names;
  s.required("files", names,
             {.doc = "a funcfl file for each [[type]], in their order, or one for all; pairs of "
                     "different elements get the geometric mean of r phi (universal functions, "
                     "Foiles, Baskes and Daw 1986)",
              .min_size = 1});
  if (s.describing()) return;
  if (names.size() != 1 && names.size() != types.size())
    s.fail("files", fmt::format("{} files for {} types", names.size(), types.size()),
           "name a file for each [[type]], in their order, or one file for all");
  std::vector<std::string> seen;
  std::vector<EamFile> files;
  c.elements.clear();
  for (std::size_t t = 0; t < types.size(); ++t) {
    const std::string& name = names[names.size() == 1 ? 0 : t];
    const auto at = std::find(seen.begin(), seen.end(), name);
    c.elements.push_back(static_cast<std::size_t>(at - seen.begin()));
    if (at != seen.end()) continue;
    seen.push_back(name);
    files.push_back(read_potential(s, "files", EamFormat::funcfl, name));
  }
  c.potential = files.size() == 1 ? files.front() : merge_funcfl(files);
  c.summary = fmt::format("funcfl {}", fmt::join(seen, ", "));
}

void describe_setfl(Section& s, EamFormat format, const std::vector<std::string>& types,
                    EamConfig& c) {
  std::string name;
  std::vector<std::string> elements;
  s.required("file", name, {.doc = "the file with the tables"});
  s.optional("elements", elements,
             {.doc = "which of the file's elements each [[type]] is, in their order; left out: "
                     "types are named as elements"});
  if (s.describing()) return;
  const char* const key = s.has("elements") ? "elements" : "file";
  c.has_elements = !elements.empty();
  if (elements.empty()) elements = types;
  if (elements.size() != types.size())
    s.fail(key, fmt::format("{} elements for {} types", elements.size(), types.size()),
           "name an element for each [[type]], in their order");
  c.potential = read_potential(s, "file", format, name);
  std::vector<std::string> known;
  for (const EamElement& e : c.potential.elements) known.push_back(e.name);
  c.elements.clear();
  for (std::size_t t = 0; t < types.size(); ++t) {
    const auto at = std::find(known.begin(), known.end(), elements[t]);
    if (at == known.end())
      s.fail(
          key,
          fmt::format("{} has no element `{}` for type `{}`", name, excerpt(elements[t]),
                      excerpt(types[t])),
          fmt::format("it has {}: say elements = [\"…\"], one for each [[type]]", excerpt(known)));
    c.elements.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  c.summary = fmt::format("{} {}: {}", eam_format_words()[static_cast<std::size_t>(format)], name,
                          fmt::join(elements, ", "));
}

void describe_sutton_chen(Section& s, const std::vector<std::string>& types, EamConfig& c) {
  SuttonChen p;
  const auto positive = [&](const char* key, double& value, const char* unit, const char* doc) {
    s.optional(key, value, {.doc = doc, .unit = unit, .minimum = 0, .exclusive_minimum = true});
  };
  positive("epsilon", p.epsilon, "eV", "energy scale; the defaults are copper");
  positive("a", p.a, "Angstrom", "length scale: the lattice constant");
  positive("c", p.c, "1", "weight of the square root");
  positive("n", p.n, "1", "exponent of the pair potential, above m");
  positive("m", p.m, "1", "exponent of the density");
  s.optional("cutoff", p.cutoff,
             {.doc = "where both powers end; from 0.9 of it on they are brought to 0 smoothly (0: "
                     "2 a)",
              .unit = "Angstrom",
              .minimum = 0});
  if (s.describing()) return;
  if (!(p.n > p.m)) s.fail("n", "n must be above m");
  if (p.cutoff > 0 && !(p.cutoff > p.a)) s.fail("cutoff", "the cutoff must be above a");
  c.potential = tabulate(p);
  // With other numbers than copper's nobody says what it is, nor what it weighs.
  const SuttonChen copper;
  const bool is_copper = p.epsilon == copper.epsilon && p.a == copper.a && p.c == copper.c &&
                         p.n == copper.n && p.m == copper.m;
  c.potential.elements[0].name = is_copper ? "Cu" : "";
  if (!is_copper) c.potential.elements[0].mass = 0;
  c.elements.assign(types.size(), 0);
  c.summary = fmt::format("Sutton-Chen {}-{}, epsilon {} eV, a {} angstrom, c {}", p.n, p.m,
                          p.epsilon, p.a, p.c);
}

}  // namespace

void describe_eam(Section& s, const std::vector<std::string>& types, UnitSystem units,
                  EamConfig& c) {
  const auto setfl = [&](EamFormat format) {
    return [&, format](Section& a) { describe_setfl(a, format, types, c); };
  };
  c.has_elements = false;
  s.alternatives(
      "format",
      {{"funcfl", "tables of one element a file",
        [&](Section& a) { describe_funcfl(a, types, c); }},
       {"eam.alloy", "setfl: tables of all elements in one file", setfl(EamFormat::alloy)},
       {"eam.fs", "the same, with densities that depend on both elements of a pair",
        setfl(EamFormat::fs)},
       {"sutton_chen",
        "no file: epsilon (1/2 sum (a/r)^n - c sum sqrt(sum (a/r)^m)), all types one "
        "element (Sutton and Chen 1990)",
        [&](Section& a) { describe_sutton_chen(a, types, c); }}},
      -1, {.doc = "what describes the embedded atoms"});
  if (s.describing()) return;
  if (units != UnitSystem::metal)
    s.fail("format", "tables of embedded atoms are in eV and angstrom",
           "say units = \"metal\" in [md]");
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
