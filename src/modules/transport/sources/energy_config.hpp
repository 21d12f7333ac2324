#pragma once
// energy = {kind = …} of a source.

#include "gsim/config/section.hpp"
#include "src/modules/transport/sources/source_config.hpp"

namespace gsim::transport {

/// Reads a spectrum into probabilities of the groups of `materials`; notes what part of it lies
/// outside of the groups. ConfigError where energies are given and the groups' bounds are not
/// known.
void describe_energy(Section& s, const MaterialSet& materials, SourceConfig& config,
                     std::vector<std::string>& notes);

}  // namespace gsim::transport
