#pragma once
// Existing files with the names of a run's output files, which must not be lost.

#include <cstdint>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim::engine {

/// Sets the policy of this process for existing files (io/backup_file.hpp) to output.existing; in a
/// resumed run (not `is_new`) ExistingFile::keep replaces ExistingFile::refuse, because the run's
/// earlier part may have written results.
void set_output_policy(const RunOptions& options, bool is_new);

/// Called before any work. Throws an InputError where a file cannot be written, where the result
/// file would replace a file that is no result of gsim, and, with output.existing = "refuse", where
/// the file exists.
void check_output(const RunOptions& options);

/// Throws an InputError where the folder of `path` is not shared by all nodes. Rank 0 has made the
/// lock file of `path` (io/file_lock.hpp; `is_locked` on rank 0), which must be visible to every
/// other rank. Collective; errors are agreed.
void require_shared_folder(const Communicator& communicator, const std::string& path,
                           bool is_locked);

/// Called before new results with `digest` replace the file `path`: if that file holds results of
/// another digest, it gets a second name, the first free one of NAME.1.h5, NAME.2.h5, … Returns
/// that name, or an empty string if there was nothing to keep. Throws IoError.
std::string back_up_results(const std::string& path, std::uint64_t digest);

}  // namespace gsim::engine
