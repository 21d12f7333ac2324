#include "src/modules/transport/sources/space_config.hpp"

#include <cmath>
#include <string>

#include <fmt/format.h>

namespace gsim::transport {
namespace {

using transport_kernels::cross_product;
using transport_kernels::dot;

void required_vector(Section& s, const char* key, Vector3& v, const char* unit, const char* doc) {
  std::vector<double> values;
  s.required(key, values, {.doc = doc, .unit = unit, .min_size = 3, .max_size = 3});
  if (!s.describing()) v = {values[0], values[1], values[2]};
}

void required_length(Section& s, const char* key, double& value, const char* doc) {
  s.required(key, value, {.doc = doc, .unit = "cm", .minimum = 0, .exclusive_minimum = true});
}

void describe_point(Section& s, Source& source) {
  required_vector(s, "position", source.origin, "cm", "the point");
  source.normal = {0, 0, 0};
}

void describe_box(Section& s, Source& source) {
  Vector3 high;
  required_vector(s, "lower", source.origin, "cm", "corner with the smallest coordinates");
  required_vector(s, "upper", high, "cm", "corner with the largest coordinates");
  source.normal = {0, 0, 0};
  if (s.describing()) return;
  const Vector3 size = transport_kernels::difference(high, source.origin);
  if (!(size.x >= 0 && size.y >= 0 && size.z >= 0))
    s.fail("upper", "a coordinate of upper is below that of lower");
  source.edge[0] = {size.x, 0, 0};
  source.edge[1] = {0, size.y, 0};
  source.edge[2] = {0, 0, size.z};
}

void describe_patch(Section& s, Source& source) {
  required_vector(s, "corner", source.origin, "cm", "a corner of the parallelogram");
  required_vector(s, "edge_1", source.edge[0], "cm", "from the corner to a neighbouring one");
  required_vector(s, "edge_2", source.edge[1], "cm",
                  "from the corner to the other one; the normal is edge_1 x edge_2");
  if (s.describing()) return;
  source.normal = cross_product(source.edge[0], source.edge[1]);
  if (!(dot(source.normal, source.normal) > 0))
    s.fail("edge_2", "edge_1 and edge_2 are parallel", "they span the parallelogram");
  source.normal = transport_kernels::unit(source.normal);
}

/// Radii, of which the inner one may be 0.
void describe_radii(Section& s, double& inner, double& outer, bool inner_required) {
  required_length(s, "radius", outer, "outer radius");
  const KeyInfo info{.doc = "what is nearer than this is left out", .unit = "cm", .minimum = 0};
  if (inner_required)
    s.required("inner_radius", inner, info);
  else
    s.optional("inner_radius", inner, info);
  if (!s.describing() && !(inner < outer))
    s.fail("inner_radius", fmt::format("inner_radius {} is not below radius {}", inner, outer));
}

void describe_ball(Section& s, Source& source, bool is_shell) {
  source.space = SourceSpace::ball;
  required_vector(s, "center", source.origin, "cm", "the centre");
  double inner = 0, outer = 1;
  describe_radii(s, inner, outer, is_shell);
  source.inner = inner * inner * inner;
  source.outer = outer * outer * outer;
}

void describe_round(Section& s, Source& source, bool is_disk) {
  source.space = SourceSpace::cylinder;
  required_vector(s, "center", source.origin, "cm",
                  is_disk ? "the centre" : "centre of the cylinder, half way along its axis");
  std::vector<double> axis{0, 0, 1};
  s.optional("axis", axis,
             {.doc = is_disk ? "the normal" : "the axis", .min_size = 3, .max_size = 3});
  double inner = 0, outer = 1;
  describe_radii(s, inner, outer, false);
  if (!is_disk) required_length(s, "length", source.length, "length along the axis");
  if (s.describing()) return;
  source.normal = unit_vector(s, "axis", axis);
  source.inner = inner * inner;
  source.outer = outer * outer;
  source.origin = transport_kernels::along(source.origin, -source.length / 2, source.normal);
}

void describe_sphere_surface(Section& s, Source& source) {
  source.space = SourceSpace::sphere_surface;
  required_vector(s, "center", source.origin, "cm", "the centre");
  required_length(s, "radius", source.outer, "radius");
}

}  // namespace

Vector3 unit_vector(const Section& s, std::string_view key, const std::vector<double>& values) {
  const Vector3 v{values[0], values[1], values[2]};
  const double square = dot(v, v);
  if (!(square > 0) || !std::isfinite(square))
    s.fail(key, "the vector has no length, or is too long to have a direction");
  return transport_kernels::unit(v);
}

void describe_space(Section& s, Source& source) {
  s.alternatives(
      "kind",
      {{"point", "a point", [&](Section& a) { describe_point(a, source); }},
       {"box", "a box along the axes", [&](Section& a) { describe_box(a, source); }},
       {"sphere", "a full sphere", [&](Section& a) { describe_ball(a, source, false); }},
       {"shell", "between two spheres", [&](Section& a) { describe_ball(a, source, true); }},
       {"cylinder", "a cylinder, full or hollow",
        [&](Section& a) { describe_round(a, source, false); }},
       {"parallelogram", "a patch of a plane", [&](Section& a) { describe_patch(a, source); }},
       {"disk", "a disk, full or hollow", [&](Section& a) { describe_round(a, source, true); }},
       {"sphere_surface", "the surface of a sphere",
        [&](Section& a) { describe_sphere_surface(a, source); }}},
      -1, {.doc = "the set of points that particles start at, all of them alike"});
}

}  // namespace gsim::transport
