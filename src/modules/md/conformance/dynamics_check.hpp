#pragma once
// What thermostats and observers must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::md {

/// Runs the subject's example and reports whether its thermostat is called and returns positive
/// factors for velocities.
void check_thermostat(const ConformanceSubject& subject, const ReportFinding& report);

/// Runs the subject's example and reports whether its observer is called in a step.
void check_observer(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::md
