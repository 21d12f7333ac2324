#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {
namespace {

void describe_time(Section& s, FilterConfig& c) {
  s.optional("time", c.bounds,
             {.doc = "ascending bounds of time bins", .unit = "s", .minimum = 0, .min_size = 2});
}
void validate_time(const Section& s, FilterConfig& c) { check_bounds(s, "time", c.bounds); }

FilterBins bins_of_time(const FilterConfig& c, const FilterSystem& system) {
  if (!system.is_timed)
    c.keys.fail("time", "a filter by time in a run that does not track time",
                "time is tracked with mode = \"fixed_source\" if all materials have `speed`");
  FilterBins bins = bins_between(c, "time", "time", "s");
  bins.openmc = {.type = "time", .bounds = c.bounds};
  return bins;
}

}  // namespace

void register_time_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "time",
                             .doc = "time of the particle",
                             .describe = describe_time,
                             .validate = validate_time,
                             .bins = bins_of_time,
                             .columns = {"time_low", "time_high"},
                             .position = 10,
                             .number = 8});
}

}  // namespace gsim::transport
