// Tables of one element per file (funcfl).

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/many_body/eam_kinds/setfl.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"

namespace gsim::md {
namespace {

/// One file for each type, or one for all; a file that is named twice is one element.
EamChoice make_funcfl(const Section& s, const std::vector<std::string>& names,
                      const std::vector<std::string>& types) {
  EamChoice c;
  if (names.size() != 1 && names.size() != types.size())
    s.fail("files", fmt::format("{} files for {} types", names.size(), types.size()),
           "name a file for each [[type]], in their order, or one file for all");
  std::vector<std::string> file_names;
  std::vector<EamFile> files;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const std::string& name = names[names.size() == 1 ? 0 : t];
    const auto at = std::find(file_names.begin(), file_names.end(), name);
    c.elements.push_back(static_cast<std::size_t>(at - file_names.begin()));
    if (at != file_names.end()) continue;
    file_names.push_back(name);
    files.push_back(read_eam_of(s, "files", EamFormat::funcfl, name));
  }
  c.potential = files.size() == 1 ? files.front() : merge_funcfl(files);
  c.summary = fmt::format("funcfl {}", fmt::join(file_names, ", "));
  return c;
}

MakeEam describe_funcfl(Section& s) {
  std::vector<std::string> names;
  s.required(
      "files", names,
      {.doc = "a funcfl file for each [[type]], in their order, or one for all; r phi "
              "(distance times pair energy) of two different elements is the geometric mean of r "
              "phi of each (universal functions, Foiles, Baskes and Daw 1986)",
       .min_size = 1});
  return [names](const Section& values, const std::vector<std::string>& types) {
    return make_funcfl(values, names, types);
  };
}

}  // namespace

void register_funcfl(Registry& registry) {
  registry.extend(EamKind{"funcfl", "funcfl: one file for each element", describe_funcfl});
}

}  // namespace gsim::md
