#include "src/modules/transport/tallies/filters/energy_filter.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim::transport {
namespace {

void describe_energy(Section& s, FilterConfig& c) {
  std::string energy;
  s.optional("energy", energy, {.doc = "\"groups\" for one bin per group, the fastest first"});
  if (!energy.empty()) c.names = {energy};
  s.optional("energy_bounds", c.bounds,
             {.doc = "ascending bounds of energy bins, each a bound of a group",
              .unit = "eV",
              .minimum = 0,
              .min_size = 2});
}
void validate_energy(const Section& s, FilterConfig& c) {
  check_bounds(s, "energy_bounds", c.bounds);
  if (!c.names.empty() && c.names.front() != by_groups)
    s.fail("energy", fmt::format("energy must be \"groups\", not `{}`", c.names.front()),
           "bounds of bins in eV are given as energy_bounds = [...]");
  if (!c.names.empty() && !c.bounds.empty())
    s.fail("energy_bounds", "energy_bounds cannot be given with energy = \"groups\"",
           "remove one of them");
}

/// The bin that contains group g; -1: none.
std::int32_t energy_bin(const FilterConfig& c, const FilterSystem& system, std::size_t g) {
  constexpr double same = 1e-6;  // relative difference of bounds printed with few digits
  const double high = system.group_bounds[g], low = system.group_bounds[g + 1];
  for (const double bound : c.bounds)
    if (bound > low * (1 + same) && bound < high * (1 - same))
      c.keys.fail(
          "energy_bounds",
          fmt::format("{} eV lies within group {}, from {} to {} eV", bound, g + 1, low, high),
          "bins of energy consist of whole groups");
  const double middle = low / 2 + high / 2;
  for (std::size_t bin = 0; bin + 1 < c.bounds.size(); ++bin)
    if (middle > c.bounds[bin] && middle < c.bounds[bin + 1]) return static_cast<std::int32_t>(bin);
  return -1;
}

FilterBins bins_of_groups(const FilterSystem& system) {
  FilterBins bins;
  bins.bins = system.groups;
  bins.bounds = system.group_bounds;
  bins.word = "group";
  bins.plural_word = "groups";
  bins.is_by_group = true;
  for (std::int32_t g = 0; g < system.groups; ++g) bins.map.push_back(g);
  // Groups without bounds have the bounds 0, 1, 2, … in OpenMC's file.
  bins.openmc.bounds = bins.bounds;
  std::ranges::reverse(bins.openmc.bounds);
  if (bins.openmc.bounds.empty())
    for (Index i = 0; i <= bins.bins; ++i) bins.openmc.bounds.push_back(static_cast<double>(i));
  return bins;
}

FilterBins bins_of_energy(const FilterConfig& c, const FilterSystem& system) {
  FilterBins bins;
  if (!c.names.empty()) {
    bins = bins_of_groups(system);
  } else {
    if (system.group_bounds.empty())
      c.keys.fail("energy_bounds", "the energy bounds of the groups are unknown",
                  "write energy = \"groups\", or give the bounds in [groups]");
    bins = bins_between(c, "energy", "group");
    bins.plural_word = "energies";
    for (std::size_t g = 0; g < static_cast<std::size_t>(system.groups); ++g)
      bins.map.push_back(energy_bin(c, system, g));
    bins.openmc.bounds = c.bounds;
  }
  bins.quantity = "group";
  bins.unit = "eV";
  bins.is_energy = true;
  bins.openmc.type = "energy";
  return bins;
}

}  // namespace

const FilterKind energy_filter{.name = "energy",
                               .doc = "energy groups, or intervals of energy",
                               .describe = describe_energy,
                               .validate = validate_energy,
                               .bins = bins_of_energy,
                               .columns = {"group", "energy_low", "energy_high"},
                               .position = 7,
                               .number = 3};

void register_energy_filter(Registry& registry) { registry.extend(energy_filter); }

}  // namespace gsim::transport
