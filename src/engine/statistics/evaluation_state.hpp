#pragma once
// The last evaluation in a checkpoint, so that a run that is resumed at its end can report it.

#include "gsim/engine/estimate.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::engine {

/// Writes `evaluation` under engine/evaluation. Collective.
void save_evaluation(DatasetWriter& writer, const Evaluation& evaluation);
/// Reads the evaluation; an empty one if the checkpoint has none. Collective.
Evaluation restore_evaluation(DatasetReader& reader);

}  // namespace gsim::engine
