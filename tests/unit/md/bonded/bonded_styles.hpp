#pragma once
// Parameters of bonds and angles by the names of their styles.

#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "src/modules/md/bonded/bonded_kinds.hpp"
#include "src/modules/md/bonded/bonded_parameters.hpp"

namespace gsim::md {

template <class Kind>
const Kind* kind_named(const std::vector<const Kind*>& kinds, std::string_view name) {
  for (const Kind* kind : kinds)
    if (kind->name == name) return kind;
  FAIL("no style of that name");
  return nullptr;
}

inline BondParameters bond(std::string_view style, std::vector<double> values, double max_length) {
  return {kind_named(builtin_bonded_kinds().bonds, style), std::move(values), max_length};
}
inline AngleParameters angle(std::string_view style, std::vector<double> values) {
  return {kind_named(builtin_bonded_kinds().angles, style), std::move(values)};
}

}  // namespace gsim::md
