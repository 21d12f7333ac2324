#pragma once
// What a surface must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::transport {

/// Reports whether each surface of the kind in the subject's example has two sides, which change at
/// the computed distances along random rays, and a normal along the gradient of its polynomial.
void check_surface(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::transport
