#pragma once
// What a surface must satisfy (conformance check).

#include "gsim/engine/conformance.hpp"

namespace gsim::transport {

/// Reports whether each surface of the kind in the subject's example has two sides, whether random
/// rays change sides at the computed distances, and whether normals are along the gradient of the
/// polynomial.
void check_surface(const ConformanceSubject& subject, const ReportFinding& report);

}  // namespace gsim::transport
