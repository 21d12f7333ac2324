#include "src/modules/md/forecast.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/log.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/halo_forecast.hpp"
#include "kernels/md/cluster_list.hpp"
#include "src/modules/md/cube_root.hpp"

namespace gsim::md {
namespace {

// Bytes an atom, as the columns of Particles and the clusters of nonbonded/ hold them; columns
// have a spare that takes turns with them, and room to grow.
constexpr double bytes_per_local = 250, bytes_per_local_and_thread = 16, bytes_per_ghost = 90;

/// Bytes an atom. A pair of clusters, of four atoms each, takes 8 bytes in the list and as much
/// room in what is shortened from it. They are listed once where atoms of theirs are within the
/// radius; a cluster reaches about 0.7 of the edge of its volume to either side.
double list_bytes(const StartSystem& system, double list_radius) {
  const double density = static_cast<double>(system.atoms()) / system.box().volume();
  const double reach = list_radius + 0.7 * cube_root(cluster_size / density);
  constexpr double volume = 4.1887902, bytes_per_cluster_pair = 16;
  return bytes_per_cluster_pair / 2 * volume * reach * reach * reach * density /
         (cluster_size * cluster_size);
}

double bytes_for(double locals, double ghosts, int threads, double list) {
  return locals * (bytes_per_local + bytes_per_local_and_thread * threads + list) +
         ghosts * bytes_per_ghost;
}

std::vector<FixedPosition> all_positions(const StartSystem& system) {
  std::vector<FixedPosition> all;
  all.reserve(static_cast<std::size_t>(system.atoms()));
  constexpr Index piece = 1 << 20;
  for (Index first = 0; first < system.atoms(); first += piece) {
    const auto part = system.fill({first, std::min(first + piece, system.atoms())}).position;
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

RunForecast forecast_run(const StartSystem& system, int ranks, int threads, double width,
                         double list_radius, bool dry_run) {
  const Box& box = system.box();
  check_halo_width(box, width);
  const double list = list_bytes(system, list_radius);
  const auto atoms = static_cast<double>(system.atoms());
  RunForecast forecast;
  if (!dry_run) {
    const double mine = atoms / ranks, edge = cube_root(box.volume() / ranks) + 2 * width;
    const double ghosts =
        ranks > 1 ? std::min(atoms, atoms / box.volume() * edge * edge * edge) - mine : 0;
    forecast.bytes_per_rank = bytes_for(mine, ghosts, threads, list);
    return forecast;
  }
  const HaloForecast halo =
      forecast_halo(box, Decomposition(box, ranks), all_positions(system), width);
  constexpr Index row_bytes = 24;  // a position
  forecast.bytes_per_rank = bytes_for(static_cast<double>(halo.most_particles),
                                      static_cast<double>(halo.most_ghosts), threads, list);
  forecast.notes.push_back(fmt::format(
      "{} ranks  at most {} atoms + {} ghosts and {} neighbours each; imbalance {:.3f} "
      "before balancing",
      ranks, human_number(static_cast<double>(halo.most_particles)),
      human_number(static_cast<double>(halo.most_ghosts)), halo.most_messages, halo.imbalance));
  forecast.notes.push_back(
      fmt::format("messages  {} a step, {} in all, {} from each rank on average", halo.messages,
                  human_bytes(static_cast<double>(halo.bytes(row_bytes))),
                  human_bytes(static_cast<double>(halo.bytes(row_bytes)) / ranks)));
  return forecast;
}

}  // namespace gsim::md
