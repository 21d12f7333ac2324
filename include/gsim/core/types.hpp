#pragma once
// Scalar types that all layers share.

#include <cstdint>

namespace gsim {

/// Signed 64-bit count or index, used for all global indices so that no run is too large.
using Index = std::int64_t;

/// A half-open range [first, last) of global indices.
struct IndexRange {
  Index first = 0;
  Index last = 0;
  constexpr Index size() const { return last - first; }
  constexpr bool empty() const { return last <= first; }
  friend constexpr bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// Part number `part` of `parts` contiguous parts of `range`, in order, with sizes that differ by
/// at most 1.
constexpr IndexRange partition(IndexRange range, Index parts, Index part) {
  const Index n = range.size() > 0 ? range.size() : 0;
  const Index base = n / parts, extra = n % parts;
  const Index first = range.first + part * base + (part < extra ? part : extra);
  return {first, first + base + (part < extra ? 1 : 0)};
}

/// The indices that both ranges contain; empty, at the larger of the two beginnings, if there are
/// none.
constexpr IndexRange intersection(IndexRange a, IndexRange b) {
  const Index first = a.first > b.first ? a.first : b.first;
  const Index last = a.last < b.last ? a.last : b.last;
  return {first, last > first ? last : first};
}

}  // namespace gsim
