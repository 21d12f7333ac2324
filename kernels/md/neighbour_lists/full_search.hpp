#pragma once
// The search for the neighbours of each atom in the columns of bins around it (FullSearchJob). On a
// device four or eight threads search for those of one atom, each in a part of the columns.

#include <type_traits>

#include "kernels/domain/atomics.hpp"
#include "kernels/md/neighbour_lists/full_list_columns.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

/// Whether the nearest image of an atom is within the list radius of `centre`.
template <bool is_orthogonal>
GSIM_HD bool is_within_radius(const md::FullSearchJob& job, const std::uint32_t* centre,
                              const std::uint32_t* other) {
  float n[3];
  for (int k = 0; k < 3; ++k)
    n[k] = static_cast<float>(static_cast<std::int32_t>(centre[k] - other[k]));
  float x = n[0], y = n[1];
  if constexpr (!is_orthogonal) {
    x = fma(job.shear[1], n[2], fma(job.shear[0], n[1], x));
    y = fma(job.shear[2], n[2], y);
  }
  return fma(job.weight[1] * n[2], n[2], fma(job.weight[0] * y, y, x * x)) <= job.radius2;
}
/// Whether a sorted atom is a neighbour of row i, which is at `centre`.
template <bool is_orthogonal>
GSIM_HD bool is_neighbour(const md::FullSearchJob& job, std::int32_t i, const std::uint32_t* centre,
                          const md::PairRecord<float>& other) {
  if (!is_within_radius<is_orthogonal>(job, centre, other.x)) return false;
  const auto j = static_cast<std::int32_t>(other.type);
  if (j == i) return false;
  if (job.has_exclusions)
    for (Index p = job.excluded_first[i]; p < job.excluded_first[i + 1]; ++p)
      if (job.excluded[p] == j) return false;
  return true;
}
/// The place in a row for its n-th neighbour. Rows with more neighbours than places are incomplete,
/// and are searched again.
GSIM_HD std::int32_t slot_of(const md::NeighbourRows& list, bool ghosts, std::int32_t n) {
  return ghosts ? list.capacity - 1 - n : n;
}
/// Sets the counts of row i. `excess`: the number of neighbours that were found and are not
/// counted.
GSIM_HD void set_counts(const md::FullSearchJob& job, Index i, std::int32_t locals,
                        std::int32_t ghosts, std::int32_t excess = 0) {
  job.list.locals[i] = locals;
  job.list.ghosts[i] = ghosts;
  const std::int32_t found = locals + ghosts + excess;
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
/// of the 32 registers of a thread that it may choose otherwise.
inline constexpr int search_blocks = 5;

/// The numbers of neighbours of a row that were found so far. Without ghosts all are counted; with
/// ghosts no more than the capacity, so that halves of a word suffice, and the others as excess.
template <bool staged, bool has_ghosts>
struct FoundCount {
  using Word = std::conditional_t<staged, std::uint32_t, std::uint64_t>;
  static constexpr int half = 4 * sizeof(Word);  // bits; lists in shared memory are short
  Word both;                                     // locals, and 2^half times the ghosts
  std::int32_t excess;
  __device__ static std::int32_t locals(Word both) {
    return static_cast<std::int32_t>(both & ((Word{1} << half) - 1));
  }
  __device__ static std::int32_t ghosts(Word both) {
    return static_cast<std::int32_t>(both >> half);
  }
  /// Counts a neighbour, and returns its slot, or -1 if the row is full.
  __device__ std::int32_t add(const md::NeighbourRows& list, bool is_ghost) {
    const Word one = is_ghost ? Word{1} << half : Word{1};
    const Word before = add_to_both(one);
    if (locals(before) + ghosts(before) < list.capacity)
      return is_ghost ? slot_of(list, true, ghosts(before)) : locals(before);
    add_to_both(Word{0} - one);
    domain_kernels::atomic_increment(&excess);
    return -1;
  }

 private:
  __device__ Word add_to_both(Word value) {
    if constexpr (staged)
      return atomicAdd(reinterpret_cast<unsigned int*>(&both), value);
    else
      return domain_kernels::atomic_add(&both, value);
  }
};
template <bool staged>
struct FoundCount<staged, false> {
  std::int32_t both;
  static constexpr std::int32_t excess = 0;
  __device__ static std::int32_t locals(std::int32_t both) { return both; }
  __device__ static std::int32_t ghosts(std::int32_t /*both*/) { return 0; }
  __device__ std::int32_t add(const md::NeighbourRows& list, bool /*is_ghost*/) {
    const std::int32_t before = domain_kernels::atomic_increment(&both);
    return before < list.capacity ? before : -1;
  }
};

/// Lists the neighbours of the rows of a block. `staged`: in shared memory, from which they are
/// copied to the list, so that consecutive rows are written together. The order of the neighbours
/// of a row depends on the order of its threads.
template <bool staged, bool is_orthogonal, bool has_ghosts>
__global__ void __launch_bounds__(search_rows* most_search_lanes, search_blocks)
    full_search(const __grid_constant__ md::FullSearchJob job) {
  extern __shared__ std::int32_t staged_entries[];
  __shared__ FoundCount<staged, has_ghosts> counts[search_rows];
  // The divisors below are constants.
  const bool has_many_lanes = blockDim.x == search_rows * most_search_lanes;
  const std::int32_t lanes = has_many_lanes ? most_search_lanes : search_lanes;
  const unsigned row =
      has_many_lanes ? threadIdx.x / most_search_lanes : threadIdx.x / search_lanes;
  const Index first_row = static_cast<Index>(blockIdx.x) * search_rows;
  const Index i = first_row + row;
  if (threadIdx.x < search_rows) counts[threadIdx.x] = {};
  __syncthreads();
  const std::int32_t capacity = job.list.capacity;
  if (i < job.rows) {
    const md::PairRecord<float> centre = job.records[i];
    for_each_in_part(
        job, centre.x, static_cast<std::int32_t>(threadIdx.x) & (lanes - 1), lanes,
        [&](const md::PairRecord<float>& other) {
          if (!is_neighbour<is_orthogonal>(job, static_cast<std::int32_t>(i), centre.x, other))
            return;
          const auto j = static_cast<std::int32_t>(other.type);
          const std::int32_t slot = counts[row].add(job.list, has_ghosts && j >= job.locals);
          if (slot < 0) return;
          if constexpr (staged)
            staged_entries[slot * search_stride + row] = j;
          else
            job.list.entries[slot * job.list.stride + i] = j;
        });
  }
  __syncthreads();
  // Each thread of a warp writes the results of one row.
  const unsigned written = threadIdx.x % search_rows;
  const Index to_row = first_row + written;
  if (to_row >= job.rows) return;
  const auto& count = counts[written];
  const std::int32_t locals = count.locals(count.both), ghosts = count.ghosts(count.both);
  const auto part = static_cast<std::int32_t>(threadIdx.x / search_rows);
  if (part == 0) set_counts(job, to_row, locals, ghosts, count.excess);
  if constexpr (staged) {
    const auto copy = [&](std::int32_t first, std::int32_t last) {
      std::int32_t* to = job.list.entries + first * job.list.stride + to_row;
      for (std::int32_t slot = first; slot < last; slot += lanes, to += lanes * job.list.stride)
        *to = staged_entries[slot * search_stride + written];
    };
    const std::int32_t end = min(locals, capacity);
    copy(part, end);
    if (has_ghosts) copy(max(capacity - ghosts, end) + part, capacity);
  }
}

template <bool is_orthogonal, bool has_ghosts>
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
    full_search<true, is_orthogonal, has_ghosts><<<blocks, threads, shared, stream>>>(job);
  else
    full_search<false, is_orthogonal, has_ghosts><<<blocks, threads, 0, stream>>>(job);
  launching::check_launch("md_full_search", static_cast<int>(cudaGetLastError()), stream);
}

#else

/// Searches for the neighbours of one row.
template <bool is_orthogonal, bool has_ghosts>
struct FullSearch {
  md::FullSearchJob job;

  void operator()(Index i) const {
    const md::PairRecord<float> centre = job.records[i];
    std::int32_t counts[2] = {0, 0};  // of locals and ghosts
    for (int quarter = 0; quarter < 4; ++quarter)
      for_each_in_part(job, centre.x, quarter, 4, [&](const md::PairRecord<float>& other) {
        const bool ghosts = has_ghosts && static_cast<std::int32_t>(other.type) >= job.locals;
        if (!is_neighbour<is_orthogonal>(job, static_cast<std::int32_t>(i), centre.x, other))
          return;
        const std::int32_t n = counts[ghosts ? 1 : 0]++;
        if (n < job.list.capacity)
          job.list.entries[slot_of(job.list, ghosts, n) * job.list.stride + i] =
              static_cast<std::int32_t>(other.type);
      });
    set_counts(job, i, counts[0], counts[1]);
  }
};

template <bool is_orthogonal, bool has_ghosts>
void search_rows_of(const Executor& executor, const md::FullSearchJob& job) {
  launch(executor, "md_full_search", job.rows, FullSearch<is_orthogonal, has_ghosts>{job},
         /*grain=*/128);
}

#endif

template <bool is_orthogonal>
void search_full_list(const Executor& executor, const md::FullSearchJob& job) {
  if (job.has_ghosts)
    search_rows_of<is_orthogonal, true>(executor, job);
  else
    search_rows_of<is_orthogonal, false>(executor, job);
}

}  // namespace md_kernels
GSIM_TARGET_END
