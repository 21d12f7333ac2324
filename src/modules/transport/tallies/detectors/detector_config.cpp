#include <fmt/format.h>

#include "src/modules/transport/tallies/tally_config.hpp"

namespace gsim::transport {
namespace {

/// The smallest threshold: smaller contributions are close to the quantum of the sums.
constexpr double least_roulette = 0x1p-80;

void describe_detector(Section& s, PointDetectorConfig& c) {
  c = {};
  std::vector<double> position;
  s.required("name", c.name, {.doc = "for detectors = [...] of tallies"});
  s.required("position", position,
             {.doc = "of the point", .unit = "cm", .min_size = 3, .max_size = 3});
  s.optional("exclusion_radius", c.radius,
             {.doc = "emissions and collisions within this distance contribute their mean over the "
                     "sphere, as if they were spread evenly in it; without it the variance is "
                     "infinite in what scatters. A tenth to half of a mean free path, within one "
                     "material",
              .unit = "cm",
              .minimum = 0});
  s.optional("roulette", c.roulette,
             {.doc = "contributions to the flux below it, by source particle, play Russian "
                     "roulette: they count as it, or not at all. About a tenth of the mean flux "
                     "saves most of the rays",
              .unit = "1/cm2",
              .minimum = least_roulette});
  if (s.describing()) return;
  c.where = s.location("position");
  c.radius_where = s.location(s.has("exclusion_radius") ? "exclusion_radius" : "position");
  c.position = {position[0], position[1], position[2]};
  if (c.name.empty()) s.fail("name", "a detector needs a name", "tallies name it");
}

}  // namespace

void describe_detectors(Section& top, std::vector<PointDetectorConfig>& detectors) {
  top.tables<PointDetectorConfig>(
      "point_detector", detectors, describe_detector,
      "points at which tallies may estimate the flux: each emission and each collision contributes "
      "what it sends there without another collision (next-event estimator)");
  if (top.describing()) return;
  for (std::size_t i = 0; i < detectors.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (detectors[i].name == detectors[j].name)
        throw ConfigError(detectors[i].where,
                          fmt::format("two detectors have the name `{}`", detectors[i].name),
                          "give each its own name");
}

}  // namespace gsim::transport
