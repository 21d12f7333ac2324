#pragma once
// The cells of a grid as numbered rows that are divided among ranks in contiguous ranges, as files
// store them; the blocks of fields are not contiguous.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/types.hpp"
#include "gsim/domain/field.hpp"
#include "gsim/domain/grid.hpp"

namespace gsim {

/// Redistributes fields between the blocks of a grid and ranges of rows. Cell (x, y, z) of a grid
/// of (nx, ny, nz) cells is row x + nx * (y + ny * z): the first axis is fastest. All calls are
/// collective.
class FieldRows {
 public:
  /// Assigns rows in multiples of `unit` rows, nearly equal numbers per rank (the last unit may be
  /// shorter). Error unless `grid` has as many blocks as the communicator has ranks.
  FieldRows(Communicator communicator, const GridDecomposition& grid, Index unit = default_unit);
  static constexpr Index default_unit = Index{1} << 14;

  /// The number of all rows: the cells of the grid.
  Index rows() const { return rows_; }
  /// The rows of this rank; the ranges of the ranks tile all rows in rank order.
  IndexRange mine() const { return range(communicator_.rank()); }

  /// Returns the contents of this rank's rows in row order, Field::row_bytes() each. Every rank
  /// passes its block of the same field; launches must have finished.
  std::vector<std::byte> from_field(const Field& field) const;
  /// Sets the owned cells of a field, without ghosts, from the rows of all ranks.
  void to_field(std::span<const std::byte> rows, Field& field) const;

  /// Digest of the values of all cells in row order: the same on every rank and for any number of
  /// ranks. T is the element type of the field.
  template <class T>
  std::uint64_t digest(const Field& field) const {
    const std::vector<std::byte> bytes = from_field(field);
    const std::span<const T> all(reinterpret_cast<const T*>(bytes.data()),
                                 bytes.size() / sizeof(T));
    const auto step = static_cast<std::size_t>(unit_ * field.components());
    std::vector<std::uint64_t> units;
    for (std::size_t i = 0; i < all.size(); i += step)
      units.push_back(
          Digest().add(all.subspan(i, i + step < all.size() ? step : all.size() - i)).value());
    const auto of_all = communicator_.allgather<std::uint64_t>(std::span(std::as_const(units)));
    return Digest().add(std::span<const std::uint64_t>(of_all)).value();
  }

 private:
  IndexRange range(int rank) const;
  Communicator communicator_;
  GridDecomposition grid_;
  Index unit_, rows_;
};

}  // namespace gsim
