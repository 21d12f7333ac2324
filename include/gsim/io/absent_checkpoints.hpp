#pragma once
// Runs that start without checkpoints, such as the tasks of a new batch.

#include <string>

namespace gsim {

/// There are no checkpoints BASE.ckpt.N: list_checkpoints(base) returns none until this process
/// writes one, without reading the folder, which may hold the files of thousands of runs. For one
/// base at a time.
void assume_no_checkpoints(const std::string& base);

}  // namespace gsim
