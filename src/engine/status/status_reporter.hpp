#pragma once
// The status file of a run: a Reporter that replaces a file of metrics
// (gsim/core/prometheus_text.hpp) while the run lasts and at its end. `gsim status` and Prometheus
// read it.

#include <functional>
#include <memory>
#include <string>

#include "src/engine/reports/reporter.hpp"

namespace gsim::engine {

/// Writes the status file of `options`. An error of writing is reported once by `warn` and ends the
/// writing, never the run.
std::unique_ptr<Reporter> make_status_reporter(const StatusOptions& options,
                                               std::function<void(const std::string&)> warn);

}  // namespace gsim::engine
