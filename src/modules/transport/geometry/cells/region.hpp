#pragma once
// Regions, boolean expressions of half-spaces: as text, as a tree, and as the flat steps that
// kernels/transport/geometry evaluates.
//
//   -fuel                    the negative side of the surface `fuel`
//   +fuel, fuel              the positive side
//   -clad +fuel, -clad & +fuel   intersection
//   -a | -b                  union, of lower precedence than intersection
//   ~(-a | -b)               complement, of the highest precedence

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"

namespace gsim::transport {

/// A tree without complements; these are applied to the half-spaces.
struct Region {
  enum class Kind { half_space, intersection, either };  ///< either: a union
  Kind kind = Kind::intersection;
  std::int32_t half_space = -1;  ///< 2 * surface, + 1 for the positive side
  std::vector<Region> parts;     ///< without parts an intersection is all space, a union is empty

  static Region of(std::int32_t half_space) { return {Kind::half_space, half_space, {}}; }
};

Region complement(const Region& region);

/// A syntax error of an expression; `column` counts from 0.
struct RegionFault {
  std::string problem, suggestion;
  std::size_t column = 0, length = 1;
};

/// Returns the region on the negative side of a name, which stands for one or several surfaces;
/// null: unknown.
using RegionNames = std::function<const Region*(std::string_view name)>;

/// Parses `text`; empty text is all space. `known` are the names to suggest in errors. Throws
/// RegionFault.
Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known);

/// The same for the value of a key; throws ConfigError that points into the text.
Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known, const SourceLocation& value);

/// The half-spaces of a region in the order of the text, each once.
std::vector<std::int32_t> half_spaces_of(const Region& region);

/// Whether the region is an intersection of half-spaces, or all space.
bool is_intersection(const Region& region);

/// The steps that evaluate a region with at least one half-space; `first` is the index of the first
/// step.
std::vector<RegionStep> steps_of(const Region& region, std::int32_t first);

}  // namespace gsim::transport
