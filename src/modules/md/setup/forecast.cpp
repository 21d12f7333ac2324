#include "src/modules/md/setup/forecast.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/halo_forecast.hpp"
#include "gsim/md/neighbour_lists/cluster_list.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"

namespace gsim::md {
namespace {

// Bytes per owned atom in the columns of Particles and their spare buffer, and per ghost with its
// message buffers.
constexpr double columns_of_local = 124, columns_of_ghost = 54;
// Bytes per atom of the last valid state (Simulation::restore_last_valid), which is kept in host
// memory, and bytes of the process itself: program, libraries, tables.
constexpr double kept_of_local = 76, process_bytes = 30e6;
// Bytes per atom of the clusters of pair forces, spare capacity included, and bytes per pair of
// clusters in a list.
constexpr double clusters_of_local = 126, clusters_of_ghost = 36, bytes_per_cluster_pair = 8;
// Bytes of a full list: per atom for two bins and the record of the reference position; per row
// for two numbers of neighbours.
constexpr double bins_of_atom = 32, counts_of_row = 8;

// Largest number of atoms whose ranks are determined from all positions, of 24 bytes each.
constexpr Index max_counted = 20'000'000;

/// Bytes on one rank, per local atom and per ghost.
struct AtomBytes {
  double local, ghost;
};

/// Number of atoms in a sphere.
double neighbours_within(double radius, double density) {
  return 4.1887902 * radius * radius * radius * density;  // 4/3 pi
}

/// Bytes of a cluster list per atom. A pair of clusters, of four atoms each, is listed once where
/// any two of their atoms are within the radius; a cluster extends about 0.7 of the edge of its
/// volume to either side of its centre.
double list_bytes(double list_radius, double density) {
  const double reach = list_radius + 0.7 * cube_root(cluster_size / density);
  return bytes_per_cluster_pair / 2 * neighbours_within(reach, density) /
         (cluster_size * cluster_size);
}

/// With cluster lists, on the host.
AtomBytes over_clusters(const PairMemory& pairs, double density) {
  const double real = pairs.mixed ? 4 : 8;
  const double list = list_bytes(pairs.list_radius, density);
  double of_thread = 4 * real;  // reactions
  // The list, and a copy of it that is shortened between rebuilds.
  AtomBytes bytes{columns_of_local + kept_of_local + clusters_of_local + 2 * list,
                  columns_of_ghost + clusters_of_ghost};
  if (pairs.densities > 0) {
    of_thread += real;
    // F' twice; the cluster pairs within the cutoff; the values that are stored for each pair of
    // atoms within the cutoff, with a quarter of spare capacity.
    const double near = 0.5 * neighbours_within(pairs.cutoff, density);
    bytes.local += 2 * real + list + near * (pairs.densities + 1) * real * 1.25;
    bytes.ghost += 2 * real;
  }
  bytes.local += of_thread * pairs.threads;
  return bytes;
}

/// With full neighbour lists.
AtomBytes over_full_lists(const PairMemory& pairs, double density) {
  const double real = pairs.mixed ? 4 : 8, record = 4 * real + bins_of_atom;
  const double neighbours = neighbours_within(pairs.list_radius, density);
  // The longest row of a liquid is some 20 % longer than the mean; rows have an eighth of spare
  // capacity.
  const double longest = 1.2 * neighbours, capacity = longest > full_list_capacity
                                                          ? longest * 1.125 + 4
                                                          : double(full_list_capacity);
  const double embedded = pairs.densities > 0 ? real : 0;
  const double row = counts_of_row + 4 * capacity;
  const double kept = pairs.on_device ? 0 : kept_of_local;
  return {columns_of_local + kept + record + row + 2 * embedded,
          columns_of_ghost + record + embedded + (pairs.ghosts_listed ? row : 0)};
}

/// The forecast for a uniform density: the mean over all ranks.
RunForecast forecast_even(const StartSystem& system, int ranks, double width,
                          const AtomBytes& bytes, double process) {
  const Box& box = system.box();
  const auto atoms = static_cast<double>(system.atoms());
  const double mine = atoms / ranks, edge = cube_root(box.volume() / ranks) + 2 * width;
  const double ghosts =
      ranks > 1 ? std::min(atoms, atoms / box.volume() * edge * edge * edge) - mine : 0;
  RunForecast forecast;
  forecast.bytes_per_rank = process + mine * bytes.local + ghosts * bytes.ghost;
  forecast.notes.push_back(
      fmt::format("{} ranks  about {} atoms + {} ghosts each, if atoms fill the box evenly (above "
                  "{} million atoms they are not counted one by one)",
                  ranks, human_number(mine), human_number(ghosts), max_counted / 1000000));
  return forecast;
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

RunForecast forecast_run(const StartSystem& system, int ranks, double width,
                         const PairMemory& pairs, bool dry_run) {
  const Box& box = system.box();
  check_halo_width(box, width);
  const auto atoms = static_cast<double>(system.atoms());
  const double density = atoms / box.volume();
  const AtomBytes bytes =
      pairs.full_lists ? over_full_lists(pairs, density) : over_clusters(pairs, density);
  const double process = pairs.on_device ? 0 : process_bytes;
  RunForecast forecast;
  if (!dry_run || system.atoms() > max_counted) {
    forecast = forecast_even(system, ranks, width, bytes, process);
    if (!dry_run) forecast.notes.clear();
    return forecast;
  }
  const HaloForecast halo =
      forecast_halo(box, Decomposition(box, ranks), all_positions(system), width);
  constexpr Index row_bytes = 24;  // a position
  forecast.bytes_per_rank = process + static_cast<double>(halo.max_particles) * bytes.local +
                            static_cast<double>(halo.max_ghosts) * bytes.ghost;
  forecast.notes.push_back(fmt::format(
      "{} ranks  at most {} atoms + {} ghosts and {} neighbours each; imbalance {:.3f} "
      "before balancing",
      ranks, human_number(static_cast<double>(halo.max_particles)),
      human_number(static_cast<double>(halo.max_ghosts)), halo.max_messages, halo.imbalance));
  forecast.notes.push_back(
      fmt::format("messages  {} a step, {} in all, {} from each rank on average", halo.messages,
                  human_bytes(static_cast<double>(halo.bytes(row_bytes))),
                  human_bytes(static_cast<double>(halo.bytes(row_bytes)) / ranks)));
  return forecast;
}

}  // namespace gsim::md
