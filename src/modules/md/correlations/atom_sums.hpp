#pragma once
// Sums over the atoms of a rank on host threads, which do not depend on the order of atoms, and
// host access to columns of atoms.

#include <cmath>
#include <span>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/exact_sum.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim::md {

/// The first `count` rows of a column in host memory: the rows themselves, or a copy if the column
/// is in device memory. Valid as long as a view of the column.
template <class Row>
class HostColumn {
 public:
  HostColumn(ParticleStore& store, ColumnId column, Index count) {
    const View<Row> rows = store.view<Row>(column);
    GSIM_EXPECT(count <= rows.size);
    rows_ = rows.data;
    if (count > 0 && store.executor().is_cuda()) {
      copy_.resize(static_cast<std::size_t>(count));
      store.executor().copy_to_host(copy_.data(), rows.data, copy_.size() * sizeof(Row));
      rows_ = copy_.data();
    }
  }
  HostColumn(const HostColumn&) = delete;
  HostColumn& operator=(const HostColumn&) = delete;

  const Row& operator[](Index i) const { return rows_[i]; }
  const Row* data() const { return rows_; }

 private:
  const Row* rows_ = nullptr;
  std::vector<Row> copy_;
};

/// The fixed-point unit of sums of lengths, squared lengths, velocities, products of velocities,
/// masses and charges: 2^-60 in each of the systems of units, far below the rounding error of a
/// double for atomic quantities.
inline constexpr double sum_quantum = 0x1p-60;

/// `x` in units of sum_quantum, rounded. NumericalError unless |x| < 2^36, so that 2^31 terms fit
/// into an ExactSum.
inline ExactSum in_sum_quanta(double x) {
  const double scaled = x * 0x1p60;
  if (!(std::abs(scaled) < 0x1p96))
    throw NumericalError(
        "an atom's velocity or displacement is too large to average, or not finite; check the "
        "energies of the last steps, and try a shorter time step");
  if (std::abs(scaled) < 0x1p62)
    return ExactSum(WideInteger{static_cast<std::int64_t>(std::llrint(scaled))});
  return ExactSum(static_cast<WideInteger>(scaled));  // |scaled| >= 2^62 is an integer
}

/// Calls body(i, partial) for every i in [0, count), on all threads; `body` adds the terms of i to
/// the array `partial` of its thread. Adds the partial sums of all threads to `sums`.
template <class Body>
void sum_over_atoms(ThreadPool& pool, Index count, std::span<ExactSum> sums, const Body& body) {
  const auto workers = static_cast<std::size_t>(pool.threads());
  std::vector<std::vector<ExactSum>> partial(workers);
  constexpr Index atoms_per_task = 1024;
  pool.for_each((count + atoms_per_task - 1) / atoms_per_task, [&](Index chunk, int worker) {
    std::vector<ExactSum>& thread_sums = partial[static_cast<std::size_t>(worker)];
    thread_sums.resize(sums.size());
    const Index last = (chunk + 1) * atoms_per_task < count ? (chunk + 1) * atoms_per_task : count;
    for (Index i = chunk * atoms_per_task; i < last; ++i) body(i, thread_sums.data());
  });
  for (const std::vector<ExactSum>& thread_sums : partial)
    for (std::size_t k = 0; k < thread_sums.size(); ++k) sums[k].add(thread_sums[k]);
}

}  // namespace gsim::md
