#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/filter_kind.hpp"
#include "src/modules/transport/unit_vector.hpp"

namespace gsim::transport {
namespace {

void describe_cosine(Section& s, FilterConfig& c) {
  s.optional("cosine", c.bounds,
             {.doc = "ascending bounds of the cosine of the direction with `axis` or, if `axis` "
                     "is left out, with the normal of the surface that is crossed",
              .minimum = -1,
              .maximum = 1,
              .min_size = 2});
  s.optional("axis", c.numbers,
             {.doc = "direction with which `cosine` is taken", .min_size = 3, .max_size = 3});
}
void validate_cosine(const Section& s, FilterConfig& c) {
  check_bounds(s, "cosine", c.bounds);
  if (!c.numbers.empty()) {
    const Vector3 axis = unit_vector(s, "axis", c.numbers);
    c.numbers = {axis.x, axis.y, axis.z};
    if (c.bounds.empty())
      s.fail("axis", "axis is given without cosine", "give bounds of the cosine, or remove axis");
  } else if (!c.bounds.empty() && !s.has("surfaces")) {
    s.fail("cosine", "the tally has neither an axis nor surfaces, whose normals could be the axis",
           "give the axis, as axis = [0, 0, 1]");
  }
}

FilterBins bins_of_cosine(const FilterConfig& c, const FilterSystem&) {
  if (c.numbers.empty()) return bins_between(c, "cosine", "surface_cosine");
  FilterBins bins = bins_between(c, "cosine", "cosine");
  bins.direction = {c.numbers[0], c.numbers[1], c.numbers[2]};
  return bins;
}

}  // namespace

void register_cosine_filter(Registry& registry) {
  registry.extend(FilterKind{.name = "cosine",
                             .doc = "cosine of the direction with an axis or a surface's normal",
                             .describe = describe_cosine,
                             .validate = validate_cosine,
                             .bins = bins_of_cosine,
                             .columns = {"cosine_low", "cosine_high"},
                             .position = 8,
                             .number = 5});
}

}  // namespace gsim::transport
