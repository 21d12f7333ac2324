#include "src/modules/md/type_names.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::md {

std::size_t index_of_type(const KeyLocations& keys, std::string_view key, const std::string& name,
                          const std::vector<std::string>& types) {
  const auto found = std::find(types.begin(), types.end(), name);
  if (found == types.end())
    keys.fail(key, fmt::format("there is no type `{}`", excerpt(name)),
              types.empty() ? "add a [[type]] of that name"
                            : suggest_known(name, types, "the types are"));
  return static_cast<std::size_t>(found - types.begin());
}

void check_types(const KeyLocations& keys, const std::vector<std::string>& names,
                 const std::vector<std::string>& types) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    index_of_type(keys, "types", names[i], types);
    if (std::find(names.begin(), names.begin() + static_cast<Index>(i), names[i]) !=
        names.begin() + static_cast<Index>(i))
      keys.fail("types", fmt::format("type `{}` is given twice", excerpt(names[i])),
                "name it once");
  }
}

void check_present(const SourceLocation& where, const std::vector<std::string>& names,
                   const std::vector<std::string>& types, const std::vector<Index>& counts) {
  for (std::size_t t = 0; t < types.size(); ++t)
    if (counts[t] == 0 && std::find(names.begin(), names.end(), types[t]) != names.end())
      throw ConfigError(where, fmt::format("no atom is of type `{}`", excerpt(types[t])),
                        "leave it out of `types`");
}

}  // namespace gsim::md
