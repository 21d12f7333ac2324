#pragma once
// Files that several tasks of a batch would write.

#include "gsim/engine/registry.hpp"
#include "manifest.hpp"

namespace gsim::app {

/// InputError if the configurations of two tasks name the same file for their checkpoints, status,
/// trajectory, or another output (config/output_keys.hpp): one would replace that of the other.
/// Results have the names of their tasks. A configuration that cannot be read is left to its task.
void refuse_shared_outputs(const Batch& batch, const Registry& registry);

}  // namespace gsim::app
