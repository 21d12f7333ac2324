#pragma once
// [triplet]: a three-body potential, which a plugin provides.

#include <span>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/many_body/three_body_kind.hpp"
#include "gsim/md/units.hpp"

namespace gsim::md {

struct ThreeBodyConfig {
  const ThreeBodyKind* kind = nullptr;
  std::vector<double> parameters;
  double closest = 0;         ///< atoms nearer to each other than this overlap
  SourceLocation where = {};  ///< location of the key of the kind
  std::string summary;        ///< "stillinger_weber; cutoff 3.77118"

  double cutoff() const { return kind->cutoff(parameters.data()); }
};

/// Describes and validates the table `s`, for a run in `units`, whose kind is one of `kinds`.
/// ConfigError for parameters that are not valid for the potential, or whose defaults are in
/// other units.
void describe_three_body(Section& s, std::span<const ThreeBodyKind* const> kinds, UnitSystem units,
                         ThreeBodyConfig& config);

}  // namespace gsim::md
