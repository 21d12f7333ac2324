#pragma once
// time = {kind = …} of a source.

#include "gsim/config/section.hpp"
#include "kernels/transport/sources/sources.hpp"
#include "src/modules/transport/sources/source_config.hpp"

namespace gsim::transport {

/// Reads when particles start into `source`, and a table into `table`.
void describe_time(Section& s, Source& source, TimeTable& table);

}  // namespace gsim::transport
