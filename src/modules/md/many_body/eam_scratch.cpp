#include "src/modules/md/many_body/eam_scratch.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::md {
namespace {

/// Stores the coefficients of an interval of `table`, times `scale`, in to[0 … 3].
template <class Real>
void store_cubic(Real* to, const CubicTable& table, std::size_t interval, double scale) {
  const CubicTable::Cubic& c = table.intervals()[interval];
  for (std::size_t k = 0; k < 4; ++k) to[k] = static_cast<Real>(c[k] * scale);
}

}  // namespace

template <class Real>
void EamRows<Real>::fill(const EamTables& tables, double density_quantum, double force_quantum) {
  const std::size_t types = tables.types(), row_size = types == 1 ? 8 : 16;
  const CubicTable& first = tables.density[0];
  // One interval more than the cutoff needs, since a distance just below it may be rounded up.
  const auto needed = static_cast<std::size_t>(tables.cutoff / first.step()) + 2;
  const std::size_t rows = std::min(first.intervals().size(), needed);
  rows_ = static_cast<std::int32_t>(rows);
  const std::size_t per_line = 64 / sizeof(Real);
  lines_.assign((types * types * rows * row_size + per_line - 1) / per_line, Line{});
  Real* to = lines_.front().cubic[0].c;
  for (std::size_t i = 0; i < types; ++i)
    for (std::size_t j = 0; j < types; ++j)
      for (std::size_t k = 0; k < rows; ++k, to += row_size) {
        store_cubic(to, tables.density_of(j, i), k, 1 / density_quantum);
        if (types > 1) store_cubic(to + 4, tables.density_of(i, j), k, 1 / density_quantum);
        store_cubic(to + (types > 1 ? 8 : 4), tables.r_phi_of(i, j), k, -1 / force_quantum);
      }
}

template <class Real>
void EamMemory<Real>::reset(View<const ClusterChunk> chunks) {
  parts_.resize(static_cast<std::size_t>(chunks.size));
  chunk_values_.resize(parts_.size());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const ClusterChunk& chunk = chunks[static_cast<Index>(c)];
    Part& part = parts_[c];
    const auto entries = static_cast<std::size_t>(chunk.neighbours.size);
    const auto blocks = static_cast<std::size_t>(chunk.rows.size) + entries / eam_block;
    if (part.entries.size() < entries + 1) part.entries.resize(entries + 1);
    if (part.blocks.size() < blocks) part.blocks.resize(blocks);
    chunk_values_[c] = {part.blocks.data(), 0, part.entries.data(), part.values.data(),
                        static_cast<Index>(part.values.size())};
  }
}

template <class Real>
void EamMemory<Real>::grow(void* memory, Index chunk, Index capacity) {
  auto& self = *static_cast<EamMemory*>(memory);
  Part& part = self.parts_[static_cast<std::size_t>(chunk)];
  // One eighth more than needed now, since resize() alone would double the capacity. Later steps
  // rarely need more.
  part.values.reserve(static_cast<std::size_t>(capacity + capacity / 8));
  part.values.resize(part.values.capacity());
  EamChunkValues<Real>& stored = self.chunk_values_[static_cast<std::size_t>(chunk)];
  stored.values = part.values.data();
  stored.capacity = static_cast<Index>(part.values.size());
}

template class EamRows<float>;
template class EamRows<double>;
template class EamMemory<float>;
template class EamMemory<double>;

}  // namespace gsim::md
