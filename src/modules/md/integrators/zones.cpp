#include "src/modules/md/integrators/zones.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/integrators/groups.hpp"

namespace gsim::md {
namespace {

/// The group whose thermostat the class has, or -1.
int thermostat_of(const MotionConfig& config, const MotionClass& c) {
  int found = -1;
  for (std::size_t g = 0; g < config.groups.size(); ++g) {
    if (!config.groups[g].thermostat || (c.groups >> g & 1) == 0) continue;
    if (found >= 0)
      throw ConfigError(
          config.groups[g].thermostat->where,
          fmt::format("some atoms belong to the groups `{}` and `{}`, and both have a thermostat",
                      excerpt(config.groups[static_cast<std::size_t>(found)].name),
                      excerpt(config.groups[g].name)),
          "let an atom have one");
    found = static_cast<int>(g);
  }
  return found;
}

void add_zone(Zones& zones, const MotionConfig& config, std::span<const MotionClass> classes,
              int group) {
  Zone zone;
  zone.group = group;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const MotionClass& motion_class = classes[c];
    if (is_frozen(config.groups, motion_class) || thermostat_of(config, motion_class) != group)
      continue;
    zones.of_class[c] = static_cast<int>(zones.list.size());
    zone.atoms += motion_class.atoms;
    zone.mass += motion_class.mass * static_cast<double>(motion_class.atoms);
  }
  const auto& thermostat =
      group < 0 ? config.thermostat : config.groups[static_cast<std::size_t>(group)].thermostat;
  zone.thermostat = thermostat ? &*thermostat : nullptr;
  if (zone.atoms > 0) {
    zones.list.push_back(zone);
    return;
  }
  if (zone.thermostat != nullptr)
    throw ConfigError(
        zone.thermostat->where,
        group < 0 ? std::string("[thermostat] acts on no atom: all are frozen or have a thermostat "
                                "of their group")
                  : fmt::format("the thermostat of group `{}` acts on no atom: all are frozen by "
                                "other groups",
                                excerpt(config.groups[static_cast<std::size_t>(group)].name)),
        "leave it out, or change the groups");
}

}  // namespace

Zones make_zones(const MotionConfig& config, std::span<const MotionClass> classes,
                 bool is_momentum_kept) {
  Zones zones;
  zones.of_class.assign(classes.size(), -1);
  for (std::size_t g = 0; g < config.groups.size(); ++g)
    if (config.groups[g].thermostat) add_zone(zones, config, classes, static_cast<int>(g));
  add_zone(zones, config, classes, -1);
  if (zones.list.empty())
    throw ConfigError(config.groups.empty() ? SourceLocation() : config.groups.front().where,
                      "no atom can move: all are frozen", "leave some free");

  const Zone& first = zones.list.front();
  const bool has_langevin = std::any_of(zones.list.begin(), zones.list.end(), [](const Zone& z) {
    return z.thermostat != nullptr && z.thermostat->is_langevin();
  });
  const bool has_frozen =
      std::any_of(zones.of_class.begin(), zones.of_class.end(), [](int z) { return z < 0; });
  zones.is_momentum_kept =
      is_momentum_kept && zones.list.size() == 1 && !has_langevin && !has_frozen;
  for (Zone& zone : zones.list) {
    zone.freedom = static_cast<double>(3 * zone.atoms);
    zones.freedom += zone.freedom;
  }
  if (zones.is_momentum_kept && first.atoms > 1) {
    zones.list.front().freedom -= 3;
    zones.freedom -= 3;
  }
  return zones;
}

}  // namespace gsim::md
