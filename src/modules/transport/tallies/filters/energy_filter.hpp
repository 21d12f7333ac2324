#pragma once
// The filter by energy groups or intervals of energy.

#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {

/// For tallies that the module itself makes (weight windows).
extern const FilterKind energy_filter;

/// The value of the key `energy` for one bin per group.
inline constexpr std::string_view by_groups = "groups";

}  // namespace gsim::transport
