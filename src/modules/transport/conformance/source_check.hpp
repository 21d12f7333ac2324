#pragma once
// What a source of particles must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::transport {

/// Reports whether the particles that the source of the subject's example samples are valid, are
/// the same whichever histories are sampled together, in any order and on any number of threads,
/// and have a mean weight of 1.
void check_source(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::transport
