#pragma once
// [groups] and [[material]].

#include "gsim/config/section.hpp"
#include "src/modules/transport/materials/material.hpp"

namespace gsim::transport {

/// Reads the tables below `top`. ConfigError unless all materials have the same groups, valid data,
/// and scattering that can be sampled.
void describe_materials(Section& top, MaterialSet& set);

}  // namespace gsim::transport
