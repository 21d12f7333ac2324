#include "src/modules/transport/sources/angles/axis.hpp"

#include <fmt/format.h>

#include "src/modules/transport/unit_vector.hpp"

namespace gsim::transport {
namespace {

/// Whether particles start on a surface, which has a normal.
bool is_surface(const Source& source) {
  return source.space == SourceSpace::sphere_surface ||
         (source.space == SourceSpace::cylinder && source.length == 0) ||
         (source.space == SourceSpace::edges && dot(source.normal, source.normal) > 0);
}

}  // namespace

DirectionAxis::DirectionAxis(Section& s, const char* doc) {
  s.optional("axis", axis_, {.doc = doc, .min_size = 3, .max_size = 3});
  s.optional("normal", normal_,
             {.doc = "\"outward\" or \"inward\": the axis is the normal of the surface in this "
                     "direction; in place of axis"});
  keys_ = s.locations();
}

void DirectionAxis::set(Source& source) const {
  if (normal_.empty()) {
    if (axis_.empty()) keys_.fail("axis", "neither axis nor normal is given", "give one of them");
    source.axis = unit_vector(keys_, "axis", axis_);
    return;
  }
  if (!axis_.empty()) keys_.fail("normal", "both axis and normal are given", "give one of them");
  if (normal_ != "outward" && normal_ != "inward")
    keys_.fail("normal", fmt::format("`{}` is neither outward nor inward", normal_));
  if (!is_surface(source)) keys_.fail("normal", "a volume has no normal", "give axis");
  source.about_normal = normal_ == "outward" ? 1 : -1;
}

}  // namespace gsim::transport
