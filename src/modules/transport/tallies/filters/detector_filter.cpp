#include <algorithm>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_detector(Section& s, FilterConfig& c) {
  optional_names(s, "detectors", c.names,
                 "names of the [[point_detector]] at which the flux, in 1/cm2 per source "
                 "particle, and reaction rates per cm3 are estimated by next-event estimators, one "
                 "bin each");
}
void validate_detector(const Section& s, FilterConfig& c) { check_names(s, "detectors", c.names); }

FilterBins bins_of_detectors(const FilterConfig& c, const FilterSystem& system) {
  std::vector<std::string> known;
  for (const FilterSystem::Detector& d : system.detectors) known.push_back(d.name);
  FilterBins bins = bins_of_names(c, "detector", "detector", known);
  bins.data = {{"detector_x", "cm", {}},
               {"detector_y", "cm", {}},
               {"detector_z", "cm", {}},
               {"detector_exclusion_radius", "cm", {}}};
  for (const std::string& name : c.names) {
    const auto d = std::ranges::find(system.detectors, name, &FilterSystem::Detector::name);
    const double values[] = {d->position.x, d->position.y, d->position.z, d->exclusion_radius};
    for (std::size_t i = 0; i < bins.data.size(); ++i) bins.data[i].values.push_back(values[i]);
  }
  return bins;
}

}  // namespace

void register_detector_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "detectors",
                             .doc = "point detector",
                             .describe = describe_detector,
                             .validate = validate_detector,
                             .bins = bins_of_detectors,
                             .columns = {"detector"},
                             .position = 4,
                             .number = 9});
}

}  // namespace gsim::transport
