#include "gsim/domain/halo_forecast.hpp"

#include <algorithm>
#include <vector>

#include "gsim/domain/halo.hpp"

namespace gsim {

HaloForecast forecast_halo(const Box& box, const Decomposition& decomposition,
                           std::span<const FixedPosition> positions, double width) {
  check_halo_width(box, width);
  const auto ranks = static_cast<std::size_t>(decomposition.ranks());
  std::vector<std::vector<FixedPosition>> owned(ranks);
  for (const FixedPosition& p : positions)
    owned[static_cast<std::size_t>(decomposition.owner(p))].push_back(p);

  HaloForecast forecast;
  forecast.ranks = decomposition.ranks();
  forecast.particles = static_cast<Index>(positions.size());
  std::vector<Index> messages(ranks);
  for (std::size_t to = 0; to < ranks; ++to) {
    const HaloRegion region(box, decomposition.brick(static_cast<int>(to)), width);
    Index ghosts = 0;
    for (std::size_t from = 0; from < ranks; ++from) {
      if (from == to || !region.overlaps(decomposition.brick(static_cast<int>(from)))) continue;
      const auto sent = std::count_if(owned[from].begin(), owned[from].end(),
                                      [&](const FixedPosition& p) { return region.contains(p); });
      ghosts += sent;
      messages[from] += sent > 0;
    }
    forecast.ghosts += ghosts;
    forecast.max_ghosts = std::max(forecast.max_ghosts, ghosts);
    forecast.max_particles = std::max(forecast.max_particles, static_cast<Index>(owned[to].size()));
  }
  for (const Index sent : messages) {
    forecast.messages += sent;
    forecast.max_messages = std::max(forecast.max_messages, sent);
  }
  if (!positions.empty())
    forecast.imbalance = static_cast<double>(forecast.max_particles) * static_cast<double>(ranks) /
                         static_cast<double>(positions.size());
  return forecast;
}

}  // namespace gsim
