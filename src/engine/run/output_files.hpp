#pragma once
// What stands where a run is going to write: nothing that others made may be lost to it.

#include <cstdint>
#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim::engine {

/// Makes output.existing the choice of this process (io/backup_file.hpp). A run that goes on may
/// find results of its earlier parts, which it keeps where others would be refused.
void choose_former_files(const RunOptions& options, bool is_afresh);

/// Refuses, before any work, places that cannot be written, and a result file that would replace
/// something other than results of gsim; and, where output.existing says so, a place that is taken.
/// Throws InputError.
void check_output(const RunOptions& options);

/// Refuses a folder that other nodes do not share. Rank 0 has made the lock file of `path`
/// (io/file_lock.hpp), `is_locked` there, and every other rank must see it. Throws InputError.
/// Collective; errors are agreed.
void require_shared_folder(const Communicator& communicator, const std::string& path,
                           bool is_locked);

/// Called before new results with `digest` take the name `path`: results of another digest that
/// have it get a second name, the first free one of NAME.1.h5, NAME.2.h5, … Returns that name, or
/// empty when there was nothing to keep. Throws IoError.
std::string keep_former_results(const std::string& path, std::uint64_t digest);

}  // namespace gsim::engine
