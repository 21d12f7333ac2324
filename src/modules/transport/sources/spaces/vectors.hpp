#pragma once
// Keys that spaces of sources have in common.

#include <array>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/source_distribution.hpp"
#include "src/modules/transport/unit_vector.hpp"

namespace gsim::transport {

using Point = std::array<double, 3>;

constexpr Vector3 vector_of(const Point& x) { return {x[0], x[1], x[2]}; }

inline void required_point(Section& s, const char* key, Point& x, const char* doc) {
  s.required(key, x, {.doc = doc, .unit = "cm"});
}
inline void required_length(Section& s, const char* key, double& value, const char* doc) {
  s.required(key, value, {.doc = doc, .unit = "cm", .minimum = 0, .exclusive_minimum = true});
}

/// Whether the key inner_radius may be left out.
enum class InnerRadius { optional, required };

/// Outer and inner radius, cm; the inner one may be 0.
struct Radii {
  double inner = 0, outer = 1;

  void describe(Section& s, InnerRadius inner_radius) {
    required_length(s, "radius", outer, "outer radius");
    const KeyInfo info{.doc = "inner radius; 0: full", .unit = "cm", .minimum = 0};
    if (inner_radius == InnerRadius::required)
      s.required("inner_radius", inner, info);
    else
      s.optional("inner_radius", inner, info);
  }
  void validate(const KeyLocations& keys) const {
    if (!(inner < outer))
      keys.fail("inner_radius",
                fmt::format("inner_radius {} is not below radius {}", inner, outer));
  }
};

}  // namespace gsim::transport
