#pragma once
// Regions: boolean expressions of half-spaces, as text, as a tree, and as the flat form of
// kernels/transport/geometry.
//
//   -fuel                    the negative side of the surface `fuel`
//   +fuel, fuel              the positive side
//   -clad +fuel, -clad & +fuel   intersection
//   -a | -b                  union, which binds less than intersection
//   ~(-a | -b)               complement, which binds most

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "kernels/transport/geometry/geometry_view.hpp"

namespace gsim::transport {

/// A tree without complements: they have been carried to the half-spaces.
struct Region {
  enum class Kind { half_space, intersection, either };
  Kind kind = Kind::intersection;
  std::int32_t half_space = -1;  ///< of its kind; 2 * surface, + 1 for the positive side
  std::vector<Region> parts;     ///< none: an intersection holds everything, a union nothing

  static Region of(std::int32_t half_space) { return {Kind::half_space, half_space, {}}; }
};

Region complement(const Region& region);

/// What is wrong with an expression, and where: a column of the text, from 0 on.
struct RegionFault {
  std::string problem, suggestion;
  std::size_t column = 0, length = 1;
};

/// The region of the negative side of what a name stands for: a surface, or several as one.
using RegionNames = std::function<const Region*(std::string_view name)>;

/// Parses `text`; empty text is all space. `known` are the names for a suggestion. Throws
/// RegionFault.
Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known);

/// The same for the value of a key: faults become ConfigErrors that point into the text.
Region parse_region(std::string_view text, const RegionNames& names,
                    const std::vector<std::string>& known, const SourceLocation& value);

/// Half-spaces of a region in the order of the text, each once.
std::vector<std::int32_t> half_spaces_of(const Region& region);

/// Whether the region is a plain intersection of half-spaces (or all space).
bool is_intersection(const Region& region);

/// Steps whose jumps are relative to `first`, the place of the first of them; region has at least
/// one half-space.
std::vector<RegionStep> steps_of(const Region& region, std::int32_t first);

}  // namespace gsim::transport
