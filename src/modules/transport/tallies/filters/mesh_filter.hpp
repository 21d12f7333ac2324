#pragma once
// The filter by the bins of a mesh.

#include "gsim/transport/filter_kind.hpp"

namespace gsim::transport {

/// For tallies that the module itself makes (weight windows).
extern const FilterKind mesh_filter;

}  // namespace gsim::transport
