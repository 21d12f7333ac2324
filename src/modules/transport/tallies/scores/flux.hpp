#pragma once
// The score "flux".

#include "gsim/transport/score_kind.hpp"

namespace gsim::transport {

/// The flux, for tallies that the module itself makes (weight windows).
extern const ScoreKind flux_score;

}  // namespace gsim::transport
