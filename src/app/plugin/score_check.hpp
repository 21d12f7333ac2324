#pragma once
// What a score must keep: gsim plugin check.

#include <string>

#include "modules/transport/transport_config.hpp"

namespace gsim::app {

/// What is wrong with the kind's scores of an example: a tally must have each, and what it gives
/// must be finite, the same when it is asked again, and not 0 in all materials. Empty: nothing.
std::string score_problem(const transport::ScoreKind& kind,
                          const transport::TransportConfig& example);

}  // namespace gsim::app
