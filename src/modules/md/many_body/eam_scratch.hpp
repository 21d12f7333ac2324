#pragma once
// Memory of the passes over a neighbour list: the tables for kernels, and the values that the
// density pass stores for the force pass.

#include <iterator>
#include <span>
#include <vector>

#include "kernels/md/many_body/cluster_eam_jobs.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"

namespace gsim::md {

/// The table of cubic polynomials that kernels read, with the rows that EamDensityJob describes, in
/// cache lines.
template <class Real>
class EamRows {
 public:
  /// Sets the coefficients: densities in quanta of `density_quantum`, -r phi in quanta of
  /// `force_quantum` times angstrom.
  void fill(const EamTables& tables, double density_quantum, double force_quantum);
  const Real* data() const { return lines_.front().cubic[0].c; }
  /// The same table, one polynomial after the other.
  std::span<const Four<Real>> cubics() const {
    return {lines_.front().cubic, lines_.size() * std::size(lines_.front().cubic)};
  }
  std::int32_t rows() const { return rows_; }  ///< number of rows of a pair of types

 private:
  struct alignas(64) Line {
    Four<Real> cubic[64 / sizeof(Four<Real>)];
  };
  std::vector<Line> lines_;
  std::int32_t rows_ = 0;
};

/// The values that the density pass over one neighbour list stores.
template <class Real>
class EamMemory {
 public:
  /// Allocates the memory for the entries of a list with these chunks.
  void reset(View<const ClusterChunk> chunks);
  /// The stored values of each chunk.
  EamChunkValues<Real>* chunks() { return chunk_values_.data(); }
  /// The function for EamDensityJob::grow; `memory` points to an EamMemory.
  static void grow(void* memory, Index chunk, Index capacity);

 private:
  /// The memory of one chunk.
  struct Part {
    std::vector<EamBlock> blocks;
    std::vector<ClusterNeighbour> entries;
    std::vector<Real> values;
  };
  std::vector<Part> parts_;
  std::vector<EamChunkValues<Real>> chunk_values_;
};

extern template class EamRows<float>;
extern template class EamRows<double>;
extern template class EamMemory<float>;
extern template class EamMemory<double>;

}  // namespace gsim::md
