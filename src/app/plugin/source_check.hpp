#pragma once
// What a source of particles must keep: gsim plugin check.

#include <cstdint>
#include <string>
#include <vector>

#include "gsim/transport/source_kind.hpp"

namespace gsim::app {

/// What is wrong with the particles that it samples from `numbers`: those of a history must be the
/// same whichever are sampled with it, in any order and on any threads; they must have a group,
/// a direction, and a weight that is 1 on average. Empty: nothing.
std::string source_problem(const transport::SourceKind& kind, const std::vector<double>& numbers,
                           std::int32_t groups);

}  // namespace gsim::app
