#pragma once
// The search for the neighbours of each atom in the columns of bins around it (FullSearchJob). On a
// device four or eight threads search for those of one atom, each in a part of the columns.

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
/// The place in a row for its n-th neighbour. Rows with more neighbours than places are incomplete,
/// and are searched again.
GSIM_HD std::int32_t slot_of(const md::NeighbourRows& list, bool ghosts, std::int32_t n) {
  return ghosts ? list.capacity - 1 - n : n;
}
GSIM_HD void set_counts(const md::FullSearchJob& job, Index i, std::int32_t locals,
                        std::int32_t ghosts) {
  job.list.locals[i] = locals;
  job.list.ghosts[i] = ghosts;
  const std::int32_t found = locals + ghosts;
  if (i % 64 == 0)
    domain_kernels::atomic_add(&job.status->neighbours, static_cast<std::uint64_t>(found));
  if (found > job.list.capacity)
    domain_kernels::atomic_max(&job.status->longest, static_cast<std::uint32_t>(found));
}

#if defined(__CUDACC__)

/// Threads that search for the neighbours of one row, if there are many rows, and if there are so
/// few that they do not occupy the device otherwise; rows of a block of threads.
inline constexpr int search_lanes = 4, most_search_lanes = 8, search_rows = 32;
/// Words between the slots of a block's lists in shared memory; odd, so that neighbours of one row
/// in consecutive slots are in different banks.
inline constexpr int search_stride = search_rows + 1;
/// Resident blocks of a multiprocessor that are required of ptxas, so that it does not spill some
/// of the 32 registers of a thread that it chooses otherwise; 0: nothing is required.
template <bool staged, bool has_ghosts>
inline constexpr int search_blocks = staged && !has_ghosts ? 0 : 5;

/// The neighbours of a row that were found so far.
template <bool has_ghosts>
struct FoundCount {
  std::uint64_t both;  // the number of locals, and 2^32 times that of ghosts
  __device__ std::int32_t locals() const { return static_cast<std::int32_t>(both); }
  __device__ std::int32_t ghosts() const { return static_cast<std::int32_t>(both >> 32); }
  /// Adds a neighbour, and returns the numbers before.
  __device__ FoundCount add(bool is_ghost) {
    return {domain_kernels::atomic_add(&both, is_ghost ? std::uint64_t{1} << 32 : 1)};
  }
};
template <>
struct FoundCount<false> {
  std::int32_t number;
  __device__ std::int32_t locals() const { return number; }
  __device__ std::int32_t ghosts() const { return 0; }
  __device__ FoundCount add(bool /*is_ghost*/) {
    return {domain_kernels::atomic_increment(&number)};
  }
};

/// Lists the neighbours of the rows of a block. `staged`: in shared memory, from which they are
/// copied to the list, so that consecutive rows are written together. The order of the neighbours
/// of a row depends on the order of its threads.
template <bool staged, bool has_exclusions, bool has_ghosts>
__global__ void __launch_bounds__(search_rows* most_search_lanes, search_blocks<staged, has_ghosts>)
    full_search(const __grid_constant__ md::FullSearchJob job) {
  extern __shared__ std::int32_t staged_entries[];
  __shared__ FoundCount<has_ghosts> counts[search_rows];
  const unsigned lanes = blockDim.x / search_rows, row = threadIdx.x / lanes;
  const Index first_row = static_cast<Index>(blockIdx.x) * search_rows;
  const Index i = first_row + row;
  const bool is_row = i < job.rows;
  if (threadIdx.x < search_rows) counts[threadIdx.x] = {};
  __syncthreads();
  const std::int32_t capacity = job.list.capacity;
  if (is_row) {
    const md::PairRecord<float> centre = job.records[i];
    for_each_in_part(
        job, centre.x, static_cast<std::int32_t>(threadIdx.x % lanes),
        static_cast<std::int32_t>(lanes), [&](const md::PairRecord<float>& other) {
          const bool ghosts = has_ghosts && static_cast<std::int32_t>(other.type) >= job.locals;
          if (!is_neighbour<has_exclusions>(job, static_cast<std::int32_t>(i), centre.x, other))
            return;
          const FoundCount<has_ghosts> before = counts[row].add(ghosts);
          if (before.locals() + before.ghosts() >= capacity) return;
          const std::int32_t slot =
              slot_of(job.list, ghosts, ghosts ? before.ghosts() : before.locals());
          const auto j = static_cast<std::int32_t>(other.type);
          if constexpr (staged)
            staged_entries[slot * search_stride + row] = j;
          else
            job.list.entries[slot * job.list.stride + i] = j;
        });
  }
  __syncthreads();
  // Each thread of a warp writes the results of one row.
  const unsigned written = threadIdx.x % search_rows;
  if (first_row + written >= job.rows) return;
  const std::int32_t locals = counts[written].locals(), ghosts = counts[written].ghosts();
  const auto part = static_cast<std::int32_t>(threadIdx.x / search_rows);
  if (part == 0) set_counts(job, first_row + written, locals, ghosts);
  if constexpr (staged) {
    const std::int32_t end = min(locals, capacity), begin = max(capacity - ghosts, end);
    std::int32_t* const to = job.list.entries + first_row + written;
    const auto copy = [&](std::int32_t slot) {
      to[slot * job.list.stride] = staged_entries[slot * search_stride + written];
    };
    for (std::int32_t slot = part; slot < end; slot += static_cast<std::int32_t>(lanes)) copy(slot);
    for (std::int32_t slot = begin + part; slot < capacity;
         slot += static_cast<std::int32_t>(lanes))
      copy(slot);
  }
}

template <bool has_exclusions, bool has_ghosts>
void search_rows_of(const Executor& executor, const md::FullSearchJob& job) {
  if (job.rows <= 0) return;
  constexpr std::size_t most_shared = 40 << 10;  // bytes that every device grants a block
  const std::size_t shared =
      static_cast<std::size_t>(job.list.capacity) * search_stride * sizeof(std::int32_t);
  const auto blocks = static_cast<unsigned>((job.rows + search_rows - 1) / search_rows);
  constexpr Index many_rows = Index{1} << 16;
  const unsigned threads = search_rows * (job.rows < many_rows ? most_search_lanes : search_lanes);
  const auto stream = static_cast<cudaStream_t>(executor.stream());
  if (shared <= most_shared)
    full_search<true, has_exclusions, has_ghosts><<<blocks, threads, shared, stream>>>(job);
  else
    full_search<false, has_exclusions, has_ghosts><<<blocks, threads, 0, stream>>>(job);
  launching::check_launch("md_full_search", static_cast<int>(cudaGetLastError()), stream);
}

#else

/// Searches for the neighbours of one row.
template <bool has_exclusions, bool has_ghosts>
struct FullSearch {
  md::FullSearchJob job;

  void operator()(Index i) const {
    const md::PairRecord<float> centre = job.records[i];
    std::int32_t counts[2] = {0, 0};  // of locals and ghosts
    for (int quarter = 0; quarter < 4; ++quarter)
      for_each_in_part(job, centre.x, quarter, 4, [&](const md::PairRecord<float>& other) {
        const bool ghosts = has_ghosts && static_cast<std::int32_t>(other.type) >= job.locals;
        if (!is_neighbour<has_exclusions>(job, static_cast<std::int32_t>(i), centre.x, other))
          return;
        const std::int32_t n = counts[ghosts ? 1 : 0]++;
        if (n < job.list.capacity)
          job.list.entries[slot_of(job.list, ghosts, n) * job.list.stride + i] =
              static_cast<std::int32_t>(other.type);
      });
    set_counts(job, i, counts[0], counts[1]);
  }
};

template <bool has_exclusions, bool has_ghosts>
void search_rows_of(const Executor& executor, const md::FullSearchJob& job) {
  launch(executor, "md_full_search", job.rows, FullSearch<has_exclusions, has_ghosts>{job},
         /*grain=*/128);
}

#endif

template <bool has_exclusions>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  if (job.has_ghosts)
    search_rows_of<has_exclusions, true>(executor, job);
  else
    search_rows_of<has_exclusions, false>(executor, job);
}

}  // namespace md_kernels
GSIM_TARGET_END
