#include "gsim/config/section.hpp"
#include "gsim/core/angle.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_azimuth(Section& s, FilterConfig& c) {
  s.optional("azimuth", c.bounds,
             {.doc = "ascending bounds of the azimuth of the direction about z, from x towards y",
              .unit = "degree",
              .minimum = -180,
              .maximum = 180,
              .min_size = 2});
}
void validate_azimuth(const Section& s, FilterConfig& c) { check_bounds(s, "azimuth", c.bounds); }

FilterBins bins_of_azimuth(const FilterConfig& c, const FilterSystem&) {
  FilterBins bins = bins_between(c, "azimuth", "azimuth", "degree");
  bins.openmc.type = "azimuthal";
  for (const double degrees : c.bounds) bins.openmc.bounds.push_back(degrees * radians_per_degree);
  return bins;
}

}  // namespace

void register_azimuth_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "azimuth",
                             .doc = "azimuth of the direction about z",
                             .describe = describe_azimuth,
                             .validate = validate_azimuth,
                             .bins = bins_of_azimuth,
                             .columns = {"azimuth_low", "azimuth_high"},
                             .position = 9,
                             .number = 6});
}

}  // namespace gsim::transport
