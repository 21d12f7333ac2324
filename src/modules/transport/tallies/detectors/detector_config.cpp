#include <array>

#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {
namespace {

/// The smallest threshold: smaller contributions are close to the unit of the fixed-point sums.
constexpr double min_roulette = 0x1p-80;

void describe_detector(Section& s, PointDetectorConfig& c) {
  c = {};
  std::array<double, 3> position{};
  s.required("name", c.name, {.doc = "name of the detector in `detectors` of tallies"});
  s.required("position", position, {.doc = "position of the detector", .unit = "cm"});
  c.position = {position[0], position[1], position[2]};
  s.optional("exclusion_radius", c.radius,
             {.doc = "radius of the exclusion sphere: emissions and collisions within it "
                     "contribute their mean over the sphere, as if they were uniformly distributed "
                     "in it; without it the variance is infinite in scattering materials. "
                     "Recommended is a tenth to half of a mean free path, within one material",
              .unit = "cm",
              .minimum = 0});
  s.optional("roulette", c.roulette,
             {.doc = "threshold of Russian roulette for contributions to the flux, per source "
                     "particle: smaller ones contribute the threshold, or nothing. With about a "
                     "tenth of the mean flux most rays to the detector need not be traced",
              .unit = "1/cm2",
              .minimum = min_roulette});
}

void validate_detector(const Section& s, PointDetectorConfig& c) {
  c.where = s.location("position");
  c.radius_where = s.location(s.has("exclusion_radius") ? "exclusion_radius" : "position");
  if (c.name.empty())
    s.fail("name", "a detector needs a name", "tallies refer to the detector by its name");
}

}  // namespace

void describe_detectors(Section& top, std::vector<PointDetectorConfig>& detectors) {
  top.tables<PointDetectorConfig>(
      "point_detector", detectors, validated(describe_detector, validate_detector),
      "points at which tallies estimate the flux by the next-event estimator: each emission and "
      "each collision contributes the expected uncollided flux at the point");
}

}  // namespace gsim::transport
