#pragma once
// The example configurations with which parts of transport are checked.

#include "gsim/engine/conformance.hpp"
#include "src/modules/transport/transport_config.hpp"

namespace gsim::transport {

/// The subject's configuration as the module reads it with all parts of the registry.
TransportConfig read_example(const ConformanceSubject& subject);

}  // namespace gsim::transport
