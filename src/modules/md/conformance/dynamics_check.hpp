#pragma once
// Conformance checks of thermostats and observers.

#include "gsim/engine/conformance.hpp"

namespace gsim::md {

/// Runs the example of the plugin and reports whether its thermostat is called and returns positive
/// scale factors of velocities.
void check_thermostat(const ConformanceSubject& subject, const ReportFinding& report);

/// Runs the example of the plugin and reports whether its observer is called.
void check_observer(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::md
