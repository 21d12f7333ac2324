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
constexpr double column_bytes_of_local = 124, column_bytes_of_ghost = 54;
// Bytes per atom of the last valid state (Simulation::restore_last_valid), which is kept in host
// memory, and bytes of the process itself: program, libraries, tables.
constexpr double saved_bytes_of_local = 76, process_bytes = 30e6;
// Bytes per atom of the clusters of pair forces, spare capacity included, and bytes per pair of
// clusters in a list.
constexpr double cluster_bytes_of_local = 126, cluster_bytes_of_ghost = 36,
                 bytes_per_cluster_pair = 8;
// Bytes of a full list: per atom for its entries in the bins and its position when the list was
// built; per row for the numbers of its local neighbours and of its ghosts.
constexpr double list_bytes_per_atom = 32, count_bytes_of_row = 8;

// Largest number of atoms of a system whose atoms and ghosts are counted rank by rank. This takes
// the positions of all atoms, 24 bytes each.
constexpr Index max_counted_atoms = 20'000'000;

/// Bytes on one rank, per local atom and per ghost.
struct AtomBytes {
  double local, ghost;
};

/// Number of atoms in a sphere.
double neighbours_within(double radius, double density) {
  return 4.1887902 * radius * radius * radius * density;  // 4/3 pi
}

/// Bytes of a cluster list per atom. A pair of clusters, of four atoms each, is listed once where
/// any two of their atoms are within the radius. A cluster extends to either side of its centre by
/// about 0.7 of the edge of a cube that contains four atoms on average.
double list_bytes(double list_radius, double density) {
  const double reach = list_radius + 0.7 * cube_root(cluster_size / density);
  return bytes_per_cluster_pair / 2 * neighbours_within(reach, density) /
         (cluster_size * cluster_size);
}

/// Memory of particles, cluster lists and their pair forces, on the host.
AtomBytes bytes_with_cluster_lists(const PairMemory& pairs, double density) {
  const double bytes_per_number = pairs.mixed ? 4 : 8;
  const double list = list_bytes(pairs.list_radius, density);
  // Forces on the second atoms of pairs (Newton's third law), which each thread sums on its own.
  double bytes_per_thread = 4 * bytes_per_number;
  // The list, and a copy of it that is shortened between rebuilds.
  AtomBytes bytes{column_bytes_of_local + saved_bytes_of_local + cluster_bytes_of_local + 2 * list,
                  column_bytes_of_ghost + cluster_bytes_of_ghost};
  if (pairs.densities > 0) {
    bytes_per_thread += bytes_per_number;
    // Two arrays of the derivative F' of the embedding energy; the cluster pairs within the cutoff;
    // the values that are stored for each pair of atoms within the cutoff, with a quarter of spare
    // capacity.
    const double pairs_within_cutoff = 0.5 * neighbours_within(pairs.cutoff, density);
    bytes.local += 2 * bytes_per_number + list +
                   pairs_within_cutoff * (pairs.densities + 1) * bytes_per_number * 1.25;
    bytes.ghost += 2 * bytes_per_number;
  }
  bytes.local += bytes_per_thread * pairs.threads;
  return bytes;
}

/// Memory of particles, full neighbour lists and their pair forces.
AtomBytes bytes_with_full_lists(const PairMemory& pairs, double density) {
  // Kernels read a record of four numbers per atom.
  const double bytes_per_number = pairs.mixed ? 4 : 8,
               list_record = 4 * bytes_per_number + list_bytes_per_atom;
  const double neighbours = neighbours_within(pairs.list_radius, density);
  // The longest row of a liquid is some 20 % longer than the mean; rows have an eighth of spare
  // capacity.
  const double longest_row = 1.2 * neighbours, capacity = longest_row > full_list_capacity
                                                              ? longest_row * 1.125 + 4
                                                              : double(full_list_capacity);
  const double embedding_derivative = pairs.densities > 0 ? bytes_per_number : 0;
  const double row = count_bytes_of_row + 4 * capacity;
  const double saved = pairs.on_device ? 0 : saved_bytes_of_local;
  return {
      column_bytes_of_local + saved + list_record + row + 2 * embedding_derivative,
      column_bytes_of_ghost + list_record + embedding_derivative + (pairs.ghosts_listed ? row : 0)};
}

/// The forecast for a uniform density: the mean over all ranks.
RunForecast forecast_even(const StartSystem& system, int ranks, double width,
                          const AtomBytes& bytes, double process) {
  const Box& box = system.box();
  const auto atoms = static_cast<double>(system.atoms());
  const double atoms_per_rank = atoms / ranks, edge = cube_root(box.volume() / ranks) + 2 * width;
  const double ghosts =
      ranks > 1 ? std::min(atoms, atoms / box.volume() * edge * edge * edge) - atoms_per_rank : 0;
  RunForecast forecast;
  forecast.bytes_per_rank = process + atoms_per_rank * bytes.local + ghosts * bytes.ghost;
  forecast.notes.push_back(fmt::format(
      "{} ranks  about {} atoms + {} ghosts each, if atoms fill the box evenly (above "
      "{} million atoms they are not counted one by one)",
      ranks, human_number(atoms_per_rank), human_number(ghosts), max_counted_atoms / 1000000));
  return forecast;
}

std::vector<FixedPosition> all_positions(const StartSystem& system) {
  std::vector<FixedPosition> all;
  all.reserve(static_cast<std::size_t>(system.atoms()));
  constexpr Index atoms_per_part = 1 << 20;
  for (Index first = 0; first < system.atoms(); first += atoms_per_part) {
    const auto part =
        system.atoms_in({first, std::min(first + atoms_per_part, system.atoms())}).position;
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
  const AtomBytes bytes = pairs.full_lists ? bytes_with_full_lists(pairs, density)
                                           : bytes_with_cluster_lists(pairs, density);
  const double process = pairs.on_device ? 0 : process_bytes;
  RunForecast forecast;
  if (!dry_run || system.atoms() > max_counted_atoms) {
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
      fmt::format("messages  {} a step with {} together, {} from each rank on average",
                  halo.messages, human_bytes(static_cast<double>(halo.bytes(row_bytes))),
                  human_bytes(static_cast<double>(halo.bytes(row_bytes)) / ranks)));
  return forecast;
}

}  // namespace gsim::md
