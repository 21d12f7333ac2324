#pragma once
// The search for the neighbours of each atom in the columns of bins around it (FullSearchJob). On a
// device four threads search for those of one atom, each in a quarter of the columns.

#include <type_traits>

#include "kernels/domain/atomics.hpp"
#include "kernels/md/neighbour_lists/full_list_columns.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Whether a sorted atom is a neighbour of row i, which is at `centre`.
template <bool has_exclusions>
GSIM_HD bool is_neighbour(const md::FullSearchJob& job, std::int32_t i, const std::uint32_t* centre,
                          const md::PairRecord<float>& other) {
  if (!(distance2(job.box_matrix, centre, other.x) <= job.radius2)) return false;
  const auto j = static_cast<std::int32_t>(other.type);
  if (j == i) return false;
  if constexpr (has_exclusions)
    for (Index p = job.excluded_first[i]; p < job.excluded_first[i + 1]; ++p)
      if (job.excluded[p] == j) return false;
  return true;
}
/// The place in a row for its n-th neighbour.
GSIM_HD std::int32_t slot_of(const md::NeighbourRows& list, bool ghosts, std::int32_t n) {
  return ghosts ? list.capacity - 1 - n : n;
}
GSIM_HD void set_counts(const md::FullSearchJob& job, Index i, std::int32_t locals,
                        std::int32_t ghosts) {
  job.list.locals[i] = locals;
  job.list.ghosts[i] = ghosts;
  const std::int32_t found = locals + ghosts;
  if (i % 64 == 0) domain_kernels::atomic_add(&job.status->neighbours, found);
  if (found > job.list.capacity)
    domain_kernels::atomic_max(&job.status->longest, static_cast<std::uint32_t>(found));
}

#if defined(__CUDACC__)

/// Threads that search for the neighbours of one row, and rows of a block of threads.
inline constexpr int search_lanes = 4, search_rows = 32;
/// Words between the slots of a block's lists in shared memory; odd, so that neighbours of one row
/// in consecutive slots are in different banks.
inline constexpr int search_stride = search_rows + 1;
/// Lists the neighbours of the rows of a block. `staged`: in shared memory, from which they are
/// copied to the list, so that consecutive rows are written together. The order of the neighbours
/// of a row depends on the order of its threads.
template <bool staged, bool has_exclusions>
__global__ void __launch_bounds__(search_rows* search_lanes)
    full_search(const __grid_constant__ md::FullSearchJob job) {
  extern __shared__ std::int32_t staged_entries[];
  __shared__ std::int32_t counts[2][search_rows];  // of locals and ghosts
  const unsigned row = threadIdx.x / search_lanes;
  const Index first_row = static_cast<Index>(blockIdx.x) * search_rows;
  const Index i = first_row + row;
  const bool is_row = i < job.rows;
  if (threadIdx.x < 2 * search_rows)
    counts[threadIdx.x / search_rows][threadIdx.x % search_rows] = 0;
  __syncthreads();
  const std::int32_t capacity = job.list.capacity;
  const auto search = [&](auto is_ghost, const md::BinnedRows& from, std::int32_t capacity_left) {
    constexpr bool ghosts = decltype(is_ghost)::value;
    const md::PairRecord<float> centre = job.records[i];
    for_each_in_quarter(
        job.grid, from, centre.x, static_cast<int>(threadIdx.x % search_lanes),
        [&](const md::PairRecord<float>& other) {
          if (!is_neighbour<has_exclusions>(job, static_cast<std::int32_t>(i), centre.x, other))
            return;
          const std::int32_t n = domain_kernels::atomic_increment(&counts[ghosts ? 1 : 0][row]);
          if (n >= capacity_left) return;
          const std::int32_t slot = slot_of(job.list, ghosts, n);
          const auto j = static_cast<std::int32_t>(other.type);
          if constexpr (staged)
            staged_entries[slot * search_stride + row] = j;
          else
            job.list.entries[slot * job.list.stride + i] = j;
        });
  };
  if (is_row) search(std::false_type{}, job.local_rows, capacity);
  if (job.ghost_rows.first != nullptr) {
    __syncthreads();
    if (is_row) search(std::true_type{}, job.ghost_rows, capacity - counts[0][row]);
  }
  __syncthreads();
  // Each thread of a warp writes the results of one row.
  const unsigned written = threadIdx.x % search_rows;
  if (first_row + written >= job.rows) return;
  const std::int32_t locals = counts[0][written], ghosts = counts[1][written];
  const auto part = static_cast<std::int32_t>(threadIdx.x / search_rows);
  if (part == 0) set_counts(job, first_row + written, locals, ghosts);
  if constexpr (staged) {
    const std::int32_t end = min(locals, capacity), begin = max(capacity - ghosts, end);
    std::int32_t* const to = job.list.entries + first_row + written;
    const auto copy = [&](std::int32_t slot) {
      to[slot * job.list.stride] = staged_entries[slot * search_stride + written];
    };
    for (std::int32_t slot = part; slot < end; slot += search_lanes) copy(slot);
    for (std::int32_t slot = begin + part; slot < capacity; slot += search_lanes) copy(slot);
  }
}

template <bool has_exclusions>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  if (job.rows <= 0) return;
  constexpr std::size_t most_shared = 40 << 10;  // bytes that every device grants a block
  const std::size_t shared =
      static_cast<std::size_t>(job.list.capacity) * search_stride * sizeof(std::int32_t);
  const auto blocks = static_cast<unsigned>((job.rows + search_rows - 1) / search_rows);
  constexpr unsigned threads = search_rows * search_lanes;
  const auto stream = static_cast<cudaStream_t>(executor.stream());
  if (shared <= most_shared)
    full_search<true, has_exclusions><<<blocks, threads, shared, stream>>>(job);
  else
    full_search<false, has_exclusions><<<blocks, threads, 0, stream>>>(job);
  launching::check_launch("md_full_search", static_cast<int>(cudaGetLastError()), stream);
}

#else

/// Searches for the neighbours of one row.
template <bool has_exclusions>
struct FullSearch {
  md::FullSearchJob job;

  std::int32_t search(Index i, const md::BinnedRows& from, bool ghosts,
                      std::int32_t capacity_left) const {
    const md::PairRecord<float> centre = job.records[i];
    std::int32_t found = 0;
    for (int quarter = 0; quarter < 4; ++quarter)
      for_each_in_quarter(
          job.grid, from, centre.x, quarter, [&](const md::PairRecord<float>& other) {
            if (!is_neighbour<has_exclusions>(job, static_cast<std::int32_t>(i), centre.x, other))
              return;
            if (found < capacity_left)
              job.list.entries[slot_of(job.list, ghosts, found) * job.list.stride + i] =
                  static_cast<std::int32_t>(other.type);
            ++found;
          });
    return found;
  }
  void operator()(Index i) const {
    const std::int32_t locals = search(i, job.local_rows, false, job.list.capacity);
    const std::int32_t ghosts = job.ghost_rows.first == nullptr
                                    ? 0
                                    : search(i, job.ghost_rows, true, job.list.capacity - locals);
    set_counts(job, i, locals, ghosts);
  }
};

template <bool has_exclusions>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  launch(executor, "md_full_search", job.rows, FullSearch<has_exclusions>{job}, /*grain=*/128);
}

#endif

}  // namespace md_kernels
GSIM_TARGET_END
