#include "src/modules/md/integrators/coupling_groups.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/integrators/groups.hpp"

namespace gsim::md {
namespace {

/// The group whose thermostat the class has, or -1.
int thermostat_of(const MotionConfig& config, const AtomClass& c) {
  int found = -1;
  for (std::size_t g = 0; g < config.groups.size(); ++g) {
    if (!config.groups[g].thermostat || (c.groups >> g & 1) == 0) continue;
    if (found >= 0)
      throw ConfigError(
          config.groups[g].thermostat->where,
          fmt::format("some atoms belong to the groups `{}` and `{}`, and both have a thermostat",
                      excerpt(config.groups[static_cast<std::size_t>(found)].name),
                      excerpt(config.groups[g].name)),
          "let each atom belong to at most one group with a thermostat");
    found = static_cast<int>(g);
  }
  return found;
}

/// Adds the atoms that are coupled to the thermostat of the group with index `group`, or for -1
/// those of [thermostat] or of none.
void add_coupling_group(CouplingGroups& coupling_groups, const MotionConfig& config,
                        std::span<const AtomClass> classes, int group) {
  CouplingGroup coupling;
  coupling.group = group;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const AtomClass& atom_class = classes[c];
    if (is_frozen(config.groups, atom_class) || thermostat_of(config, atom_class) != group)
      continue;
    coupling_groups.of_class[c] = static_cast<int>(coupling_groups.list.size());
    coupling.atoms += atom_class.atoms;
    coupling.mass += atom_class.mass * static_cast<double>(atom_class.atoms);
  }
  const auto& thermostat =
      group < 0 ? config.thermostat : config.groups[static_cast<std::size_t>(group)].thermostat;
  coupling.thermostat = thermostat ? &*thermostat : nullptr;
  if (coupling.atoms > 0) {
    coupling_groups.list.push_back(coupling);
    return;
  }
  if (coupling.thermostat != nullptr)
    throw ConfigError(
        coupling.thermostat->where,
        group < 0 ? std::string("[thermostat] acts on no atom: all are frozen or have a thermostat "
                                "of their group")
                  : fmt::format("the thermostat of group `{}` acts on no atom: all are frozen by "
                                "other groups",
                                excerpt(config.groups[static_cast<std::size_t>(group)].name)),
        "leave it out, or change the groups");
}

}  // namespace

CouplingGroups make_coupling_groups(const MotionConfig& config, std::span<const AtomClass> classes,
                                    bool is_momentum_kept) {
  CouplingGroups coupling_groups;
  coupling_groups.of_class.assign(classes.size(), -1);
  for (std::size_t g = 0; g < config.groups.size(); ++g)
    if (config.groups[g].thermostat)
      add_coupling_group(coupling_groups, config, classes, static_cast<int>(g));
  add_coupling_group(coupling_groups, config, classes, -1);
  if (coupling_groups.list.empty())
    throw ConfigError(config.groups.empty() ? SourceLocation() : config.groups.front().where,
                      "no atom can move: all are frozen", "leave some free");

  const CouplingGroup& first = coupling_groups.list.front();
  const bool has_langevin = std::any_of(
      coupling_groups.list.begin(), coupling_groups.list.end(), [](const CouplingGroup& c) {
        return c.thermostat != nullptr && c.thermostat->is_langevin();
      });
  const bool has_frozen =
      std::any_of(coupling_groups.of_class.begin(), coupling_groups.of_class.end(),
                  [](int group) { return group < 0; });
  coupling_groups.is_momentum_kept =
      is_momentum_kept && coupling_groups.list.size() == 1 && !has_langevin && !has_frozen;
  for (CouplingGroup& coupling : coupling_groups.list) {
    coupling.freedom = static_cast<double>(3 * coupling.atoms);
    coupling_groups.freedom += coupling.freedom;
  }
  if (coupling_groups.is_momentum_kept && first.atoms > 1) {
    coupling_groups.list.front().freedom -= 3;
    coupling_groups.freedom -= 3;
  }
  return coupling_groups;
}

}  // namespace gsim::md
