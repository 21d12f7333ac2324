#pragma once
// What a score must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::transport {

/// Reports whether a tally of the subject's example has the score, and whether its responses are
/// finite, the same in a second evaluation, and not 0 in all materials.
void check_score(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::transport
