#pragma once
// space = {kind = …} of a source.

#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "kernels/transport/sources/sources.hpp"

namespace gsim::transport {

/// Reads where particles start into `source`. A parallelogram's normal is set where it is one, and
/// is 0 for points, lines and boxes.
void describe_space(Section& s, Source& source);

/// `values` (three numbers of `key`) scaled to length 1; ConfigError when they are all 0.
Vector3 unit_vector(const Section& s, std::string_view key, const std::vector<double>& values);

}  // namespace gsim::transport
