#include "src/modules/md/sampling/type_groups.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"

namespace gsim::md {

TypeGroups::TypeGroups(const ObserverSetup& setup, const std::string& observer,
                       const std::vector<std::string>& names)
    : group_of_type_(setup.type_names.size(), -1) {
  const auto& known = setup.type_names;
  const auto append = [&](std::size_t type) {
    group_of_type_[type] = static_cast<std::int32_t>(types_.size());
    names_.push_back(known[type]);
    types_.push_back(static_cast<Index>(type));
    atoms_.push_back(setup.type_counts[type]);
  };
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      const std::string suggestion = did_you_mean(name, known);
      throw InputError(
          fmt::format("observer `{}`: no atom type `{}`{}", observer, name,
                      suggestion.empty() ? "" : fmt::format("; did you mean `{}`?", suggestion)));
    }
    const auto type = static_cast<std::size_t>(found - known.begin());
    if (group_of_type_[type] >= 0)
      throw InputError(fmt::format("observer `{}`: type `{}` is named twice", observer, name));
    if (setup.type_counts[type] == 0)
      throw InputError(fmt::format(
          "observer `{}`: no atom is of type `{}`; leave it out of `types`", observer, name));
    append(type);
  }
  if (names.empty())
    for (std::size_t type = 0; type < known.size(); ++type)
      if (setup.type_counts[type] > 0) append(type);
  if (types_.empty())
    throw InputError(fmt::format("observer `{}`: there are no atoms to observe", observer));
}

std::vector<TypeGroups::ReportedGroup> TypeGroups::reported_groups() const {
  std::vector<ReportedGroup> all;
  ReportedGroup sum{"all", {}, 0};
  for (Index g = 0; g < size(); ++g) {
    const auto t = static_cast<std::size_t>(type(g));
    all.push_back({name(g), {t}, atoms(g)});
    sum.types.push_back(t);
    sum.atoms += atoms(g);
  }
  if (all.size() > 1) all.push_back(sum);
  return all;
}

}  // namespace gsim::md
