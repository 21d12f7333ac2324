#include "src/modules/md/type_names.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gsim::md {

std::size_t place_of_type(const Section& s, std::string_view key, const std::string& name,
                          const std::vector<std::string>& types) {
  const auto at = std::find(types.begin(), types.end(), name);
  if (at == types.end()) {
    const std::string near = did_you_mean(name, types);
    s.fail(key, fmt::format("there is no type `{}`", name),
           near.empty() ? fmt::format("the types are {}", fmt::join(types, ", "))
                        : fmt::format("did you mean `{}`?", near));
  }
  return static_cast<std::size_t>(at - types.begin());
}

void check_types(const Section& s, const std::vector<std::string>& names,
                 const std::vector<std::string>& types) {
  for (const std::string& name : names) place_of_type(s, "types", name, types);
}

}  // namespace gsim::md
