#pragma once
// Records in the status file of a run that it has failed.

#include <string>

#include "gsim/comm/communicator.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim::app {

/// From now on record_failure() changes the status file of `options`, if the process of rank 0 has
/// written it. Collective.
void watch_status_file(const Communicator& communicator, const StatusOptions& options);

/// The run is over: record_failure() does nothing from now on.
void forget_status_file();

/// Called by one rank before all ranks end because of an error: where the status file says that the
/// run of this program is running, it says afterwards that it failed, and why. Never throws: the
/// error that is being reported is more important.
void record_failure(const std::string& message) noexcept;

/// The text of a status file after a failure. `owner` is a part of its line about the process,
/// host="…",pid="…": the text of another process, or of a run that has ended, is not changed.
std::string failed_status(const std::string& text, const std::string& owner,
                          const std::string& message, double now);

}  // namespace gsim::app
