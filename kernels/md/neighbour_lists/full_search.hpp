#pragma once
// The search for the neighbours of each atom in the bins around it (FullSearchJob). On a device,
// eight threads search for those of one atom where atoms are few, and one thread otherwise.

#include "gsim/md/neighbour_lists/full_list.hpp"
#include "kernels/domain/atomics.hpp"
#include "kernels/md/neighbour_lists/full_list_bins.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// The bins within reach of an atom along one axis: `count` of them from `first` on, periodically.
struct BinsAround {
  std::uint32_t first, count;
  GSIM_HD BinsAround(const md::FullListGrid& grid, int axis, std::uint32_t x) {
    const std::uint32_t bins = grid.bins[axis], reach = grid.reach[axis];
    count = 2 * reach + 1 < bins ? 2 * reach + 1 : bins;
    first = count == bins ? 0 : (bin_along(grid, axis, x) + bins - reach) % bins;
  }
};

/// Calls visit(first, last) for the ranges of sorted atoms in the bins around a position. With
/// `whole_warp`, all threads of a warp call the function together and make the same calls of
/// visit(); some of their ranges may then be empty.
template <bool whole_warp, class Visit>
GSIM_HD void for_each_range(const md::FullListGrid& grid, const std::int32_t* first_of_bin,
                            const std::uint32_t* position, const Visit& visit) {
  const BinsAround xs(grid, 0, position[0]), ys(grid, 1, position[1]), zs(grid, 2, position[2]);
  const std::uint32_t last = zs.first + zs.count;
  const std::uint32_t wrapped = last > grid.bins[2] ? last - grid.bins[2] : 0;
  bool wraps = wrapped > 0;
#if defined(__CUDA_ARCH__)
  if constexpr (whole_warp) wraps = __any_sync(~0u, wraps);
#endif
  std::uint32_t x = xs.first;
  for (std::uint32_t kx = 0; kx < xs.count; ++kx) {
    std::uint32_t y = ys.first;
    for (std::uint32_t ky = 0; ky < ys.count; ++ky) {
      const std::int32_t* const column = first_of_bin + (x * grid.bins[1] + y) * grid.bins[2];
      visit(column[zs.first], column[last - wrapped]);
      if (wraps) visit(column[0], column[wrapped]);
      if (++y == grid.bins[1]) y = 0;
    }
    if (++x == grid.bins[0]) x = 0;
  }
}

/// Whether a sorted atom is a neighbour of row i, which is at `centre`. Without branches if nothing
/// is excluded.
template <bool has_exclusions>
GSIM_HD bool is_neighbour(const md::FullSearchJob& job, std::int32_t i, const std::uint32_t* centre,
                          const md::PairRecord<float>& other) {
  const auto j = static_cast<std::int32_t>(other.type);
  const bool is_near = distance2(job.box_matrix, centre, other.x) <= job.radius2;
  bool found = (j != i) & is_near;
  if constexpr (has_exclusions) {
    if (!found) return false;
    for (Index p = job.excluded_first[i]; p < job.excluded_first[i + 1]; ++p)
      found = found & (job.excluded[p] != j);
  }
  return found;
}
/// The place in a row for its n-th neighbour.
GSIM_HD std::int32_t slot_of(const md::NeighbourRows& list, bool ghosts, std::int32_t n) {
  return ghosts ? list.capacity - 1 - n : n;
}
GSIM_HD void set_counts(const md::FullSearchJob& job, Index i, std::int32_t locals,
                        std::int32_t ghosts) {
  job.list.locals[i] = locals;
  job.list.ghosts[i] = ghosts;
  if (locals + ghosts > job.list.capacity)
    domain_kernels::atomic_max(&job.status->longest, static_cast<std::uint32_t>(locals + ghosts));
}

/// Searches for the neighbours of one row by one thread.
template <bool has_exclusions>
struct FullSearch {
  md::FullSearchJob job;

  GSIM_HD std::int32_t search(Index i, const md::PairRecord<float>& centre,
                              const md::BinnedRows& from, bool ghosts,
                              std::int32_t capacity_left) const {
    std::int32_t found = 0;
    const auto own = static_cast<std::int32_t>(i);
    for_each_range</*whole_warp=*/false>(
        job.grid, from.first, centre.x, [&](std::int32_t first, std::int32_t last) {
          for (std::int32_t n = first; n < last; ++n) {
            const md::PairRecord<float> other = from.records[n];
            const bool hit = is_neighbour<has_exclusions>(job, own, centre.x, other);
            if (hit & (found < capacity_left))
              job.list.entries[slot_of(job.list, ghosts, found) * job.list.stride + i] =
                  static_cast<std::int32_t>(other.type);
            found += hit ? 1 : 0;
          }
        });
    return found;
  }
  GSIM_HD void operator()(Index i) const {
    const md::PairRecord<float> centre = job.records[i];
    const std::int32_t locals = search(i, centre, job.local_rows, false, job.list.capacity);
    const std::int32_t ghosts =
        job.ghost_rows.first == nullptr
            ? 0
            : search(i, centre, job.ghost_rows, true, job.list.capacity - locals);
    set_counts(job, i, locals, ghosts);
  }
};

#if defined(__CUDACC__)

/// Threads that search for the neighbours of one row, and rows of a block of threads.
inline constexpr int search_team = 8, search_rows = 32;
/// Words between the slots of a block's lists in shared memory; odd, so that the threads of a row,
/// which write consecutive slots, use different banks.
inline constexpr int search_stride = search_rows + 1;

/// The threads of one row in the search. All threads of a warp call the functions together.
struct SearchTeam {
  unsigned lane = threadIdx.x % search_team;
  unsigned shift = threadIdx.x % 32 / search_team * search_team;  ///< of its first thread in a warp

  /// The number of threads of the team with a hit, and of those among them before this one.
  __device__ std::int32_t count(bool hit, std::int32_t& before) const {
    const unsigned hits = __ballot_sync(~0u, hit) >> shift & ((1u << search_team) - 1);
    before = __popc(hits & ((1u << lane) - 1));
    return __popc(hits);
  }
};

/// Lists the neighbours of row i among `from` and returns their number, also if it exceeds
/// `capacity_left`. `write(slot, row)` stores one neighbour. `is_row`: whether i exists.
template <bool has_exclusions, class Write>
__device__ std::int32_t search_bins(const md::FullSearchJob& job, const SearchTeam& team,
                                    bool is_row, Index i, const std::uint32_t* centre,
                                    const md::BinnedRows& from, bool ghosts,
                                    std::int32_t capacity_left, const Write& write) {
  std::int32_t found = 0;
  for_each_range</*whole_warp=*/true>(
      job.grid, from.first, centre, [&](std::int32_t first, std::int32_t last) {
        if (!is_row) last = first;
        for (std::int32_t n = first + static_cast<std::int32_t>(team.lane);
             __any_sync(~0u, n < last); n += search_team) {
          bool hit = false;
          std::int32_t j = 0;
          if (n < last) {
            const md::PairRecord<float> other = from.records[n];
            j = static_cast<std::int32_t>(other.type);
            hit = is_neighbour<has_exclusions>(job, static_cast<std::int32_t>(i), centre, other);
          }
          std::int32_t before;
          const std::int32_t hits = team.count(hit, before);
          if (hit && found + before < capacity_left)
            write(slot_of(job.list, ghosts, found + before), j);
          found += hits;
        }
      });
  return found;
}

/// Lists the neighbours of the rows of a block. `staged`: in shared memory, from which they are
/// copied to the list, so that consecutive rows are written together.
template <bool staged, bool has_exclusions>
__global__ void __launch_bounds__(search_rows* search_team)
    full_search(const __grid_constant__ md::FullSearchJob job) {
  extern __shared__ std::int32_t staged_entries[];
  __shared__ std::int32_t counts[2][search_rows];
  const SearchTeam team;
  const unsigned row = threadIdx.x / search_team;
  const Index first_row = static_cast<Index>(blockIdx.x) * search_rows;
  const bool is_row = first_row + row < job.rows;
  const Index i = is_row ? first_row + row : job.rows - 1;
  const md::PairRecord<float> centre = job.records[i];
  const auto write = [&](std::int32_t slot, std::int32_t j) {
    if constexpr (staged)
      staged_entries[slot * search_stride + row] = j;
    else
      job.list.entries[slot * job.list.stride + i] = j;
  };
  const std::int32_t locals = search_bins<has_exclusions>(
      job, team, is_row, i, centre.x, job.local_rows, false, job.list.capacity, write);
  std::int32_t ghosts = 0;
  if (job.ghost_rows.first != nullptr)
    ghosts = search_bins<has_exclusions>(job, team, is_row, i, centre.x, job.ghost_rows, true,
                                         job.list.capacity - locals, write);
  if (is_row && team.lane == 0) set_counts(job, i, locals, ghosts);
  if constexpr (staged) {
    if (team.lane == 0) counts[0][row] = locals, counts[1][row] = ghosts;
    __syncthreads();
    // Each thread of a warp copies one row.
    const unsigned copied = threadIdx.x % search_rows;
    if (first_row + copied >= job.rows) return;
    const std::int32_t capacity = job.list.capacity, step = search_team;
    const std::int32_t end = min(counts[0][copied], capacity);
    const std::int32_t begin = max(capacity - counts[1][copied], end);
    std::int32_t* const to = job.list.entries + first_row + copied;
    const auto copy = [&](std::int32_t slot) {
      to[slot * job.list.stride] = staged_entries[slot * search_stride + copied];
    };
    const auto part = static_cast<std::int32_t>(threadIdx.x / search_rows);
    for (std::int32_t slot = part; slot < end; slot += step) copy(slot);
    for (std::int32_t slot = begin + part; slot < capacity; slot += step) copy(slot);
  }
}

template <bool has_exclusions>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  if (job.rows <= 0) return;
  // One thread a row executes the fewest instructions, but occupies a device with many rows only.
  constexpr Index many_rows = Index{1} << 17;
  if (job.rows >= many_rows)
    return launch(executor, "md_full_search", job.rows, FullSearch<has_exclusions>{job}, 128);
  constexpr std::size_t most_shared = 40 << 10;  // bytes that every device grants a block
  const std::size_t shared =
      static_cast<std::size_t>(job.list.capacity) * search_stride * sizeof(std::int32_t);
  const auto blocks = static_cast<unsigned>((job.rows + search_rows - 1) / search_rows);
  const auto stream = static_cast<cudaStream_t>(executor.stream());
  if (shared <= most_shared)
    full_search<true, has_exclusions><<<blocks, search_rows * search_team, shared, stream>>>(job);
  else
    full_search<false, has_exclusions><<<blocks, search_rows * search_team, 0, stream>>>(job);
  launching::check_launch("md_full_search", static_cast<int>(cudaGetLastError()), stream);
}

#else

template <bool has_exclusions>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  launch(executor, "md_full_search", job.rows, FullSearch<has_exclusions>{job}, /*grain=*/128);
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END
