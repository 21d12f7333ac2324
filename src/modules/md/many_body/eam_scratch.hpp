#pragma once
// Memory of the passes over a list: the tables for kernels, and the values that the density pass
// stores for the force pass.

#include <iterator>
#include <span>
#include <vector>

#include "kernels/md/many_body/cluster_eam_jobs.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"

namespace gsim::md {

/// Rows of cubics (EamDensityJob), aligned to cache lines.
template <class Real>
class EamRows {
 public:
  /// Densities in quanta of `density_quantum`, -r phi in quanta of `force_quantum` times angstrom.
  void fill(const EamTables& tables, double density_quantum, double force_quantum);
  const Real* data() const { return lines_.front().cubic[0].c; }
  /// The same, one cubic after the other.
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

/// The stored values of the density pass over one list.
template <class Real>
class EamMemory {
 public:
  /// Allocates the memory for the entries of a list.
  void reset(View<const ClusterChunk> chunks);
  EamKept<Real>* chunks() { return kept_.data(); }
  /// EamDensityJob::grow; `memory` is an EamMemory.
  static void grow(void* memory, Index chunk, Index capacity);

 private:
  struct Part {
    std::vector<EamBlock> blocks;
    std::vector<ClusterNeighbour> entries;
    std::vector<Real> stream;
  };
  std::vector<Part> parts_;
  std::vector<EamKept<Real>> kept_;
};

extern template class EamRows<float>;
extern template class EamRows<double>;
extern template class EamMemory<float>;
extern template class EamMemory<double>;

}  // namespace gsim::md
