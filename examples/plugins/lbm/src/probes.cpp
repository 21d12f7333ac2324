#include "probes.hpp"

#include <cmath>

namespace lbm {
namespace {

constexpr std::size_t corners = 8;

/// One of the cells around a point, and its weight.
struct Corner {
  gsim::Cell cell;
  double weight = 1;
};

/// Corner `which`: bit a selects the upper one of the two cells along axis a.
Corner corner_of(const LbmConfig& config, const Vector& place, std::size_t which) {
  Corner corner;
  for (std::size_t a = 0; a < 3; ++a) {
    const double below = std::floor(place[a] - 0.5), share = place[a] - 0.5 - below;
    const bool is_upper = (which >> a & 1u) != 0;
    const Index n = config.cells[a];
    // The index wraps around also at walls. There, the cell on the other side has no weight, since
    // probes are not beyond the centres of the last cells.
    corner.cell[a] = (static_cast<Index>(below) + (is_upper ? 1 : 0) + n) % n;
    corner.weight *= is_upper ? share : 1 - share;
  }
  return corner;
}

}  // namespace

std::vector<Vector> probe(const gsim::Communicator& communicator, const LbmConfig& config,
                          const gsim::Field& velocity) {
  const gsim::FieldLayout& layout = velocity.layout();
  std::vector<double> mine(config.probes.size() * corners * 3);
  const auto place_of = [](std::size_t p, std::size_t which) { return (p * corners + which) * 3; };
  velocity.executor().synchronize();
  for (std::size_t p = 0; p < config.probes.size(); ++p)
    for (std::size_t which = 0; which < corners; ++which) {
      const gsim::Cell cell = corner_of(config, config.probes[p], which).cell;
      if (!layout.block.contains(cell)) continue;
      velocity.executor().copy_to_host(mine.data() + place_of(p, which),
                                       velocity.data() + layout.row(cell) * velocity.row_bytes(),
                                       3 * sizeof(double));
    }
  const std::vector<double> all =
      communicator.allgather<double>(std::span<const double>(std::as_const(mine)));
  std::vector<Vector> velocities;
  for (std::size_t p = 0; p < config.probes.size(); ++p) {
    Vector u{};
    for (std::size_t which = 0; which < corners; ++which) {
      const double weight = corner_of(config, config.probes[p], which).weight;
      for (std::size_t a = 0; a < 3; ++a) {
        double value = 0;  // nonzero only on the rank that owns the cell
        for (std::size_t at = place_of(p, which) + a; at < all.size(); at += mine.size())
          value += all[at];
        u[a] += weight * value;
      }
    }
    velocities.push_back(u);
  }
  return velocities;
}

}  // namespace lbm
