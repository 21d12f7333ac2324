#pragma once
// The axis of a distribution of directions.

#include <memory>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/transport/source_distribution.hpp"

namespace gsim::transport {

/// The keys `axis` (a vector) and `normal` (of the surface on which particles start: "outward" or
/// "inward"); a source has one of the two.
class DirectionAxis {
 public:
  DirectionAxis(Section& s, const char* doc);
  /// Sets Source::axis or ::about_normal. ConfigError unless exactly one key is given, and for a
  /// normal of a source that starts in a volume.
  void set(Source& source) const;

 private:
  std::vector<double> axis_;
  std::string normal_;
  KeyLocations keys_;
};

}  // namespace gsim::transport
