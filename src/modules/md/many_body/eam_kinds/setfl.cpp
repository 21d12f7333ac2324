#include "src/modules/md/many_body/eam_kinds/setfl.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/text.hpp"

namespace gsim::md {

EamFile read_eam_of(const Section& s, const char* key, EamFormat format, const std::string& name) {
  const InputFile& input = s.input_file(key, name);
  return locate_errors(s.location(key), [&] { return read_eam(format, input.text, name); });
}

namespace {

/// The potential in the file `name`, for types that are these elements. If `elements` is empty, the
/// names of the types are the names of elements.
EamChoice make_setfl(const Section& s, EamFormat format, const std::string& name,
                     std::vector<std::string> elements, const std::vector<std::string>& types) {
  EamChoice c;
  const char* const key = s.has("elements") ? "elements" : "file";
  c.has_elements = !elements.empty();
  if (elements.empty()) elements = types;
  if (elements.size() != types.size())
    s.fail(key, fmt::format("{} elements for {} types", elements.size(), types.size()),
           "name an element for each [[type]], in their order");
  c.potential = read_eam_of(s, "file", format, name);
  std::vector<std::string> known;
  for (const EamElement& e : c.potential.elements) known.push_back(e.name);
  for (std::size_t t = 0; t < types.size(); ++t) {
    const auto at = std::find(known.begin(), known.end(), elements[t]);
    if (at == known.end())
      s.fail(
          key,
          fmt::format("{} has no element `{}` for type `{}`", name, excerpt(elements[t]),
                      excerpt(types[t])),
          fmt::format("it has {}: set elements = [\"…\"], one for each [[type]]", excerpt(known)));
    c.elements.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  c.summary = fmt::format("{} {}: {}", eam_format_names()[static_cast<std::size_t>(format)], name,
                          fmt::join(elements, ", "));
  return c;
}

}  // namespace

MakeEam describe_setfl(Section& s, EamFormat format) {
  std::string name;
  std::vector<std::string> elements;
  s.required("file", name, {.doc = "file with the tables"});
  s.optional("elements", elements,
             {.doc = "element of each [[type]], in their order; left out: the names of the types "
                     "are the elements"});
  return [format, name, elements](const Section& values, const std::vector<std::string>& types) {
    return make_setfl(values, format, name, elements, types);
  };
}

}  // namespace gsim::md
