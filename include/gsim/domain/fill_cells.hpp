#pragma once
// Initial conditions of fields: values given by a function of the cell.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"
#include "gsim/domain/field.hpp"
#include "gsim/exec/thread_pool.hpp"

namespace gsim {

/// Sets the owned cells of several fields of one layout. value(cell) is called once per cell with
/// its global coordinates and returns the values of all fields, one after the other: a number for
/// one field with one component, a std::array of numbers for one field with several components or
/// for several fields. It is called from several threads at once and must depend on the cell only,
/// so that the initial state is the same on any number of ranks. Ghosts become 0. Error unless the
/// element sizes of the fields match the returned values.
template <class Value>
void fill_cells(std::span<Field> fields, const Value& value) {
  using Elements = std::decay_t<std::invoke_result_t<const Value&, const Cell&>>;
  static_assert(std::is_trivially_copyable_v<Elements>);
  std::size_t bytes = 0;
  for (const Field& field : fields) bytes += static_cast<std::size_t>(field.row_bytes());
  if (bytes != sizeof(Elements))
    throw MisuseError(
        "fill_cells(): a cell of the fields has " + std::to_string(bytes) +
        " bytes, but the function returns " + std::to_string(sizeof(Elements)) +
        " bytes; return one value of the element type for each component of the fields");
  const FieldLayout& layout = fields[0].layout();
  const CellBlock& block = layout.block;
  if (block.empty()) return;
  std::vector<std::vector<std::byte>> host;
  for (const Field& field : fields)
    host.emplace_back(static_cast<std::size_t>(layout.rows * field.row_bytes()));
  fields[0].executor().pool().for_each(block.size(1) * block.size(2), [&](Index line, int) {
    Cell cell{0, block.lo[1] + line % block.size(1), block.lo[2] + line / block.size(1)};
    for (cell[0] = block.lo[0]; cell[0] < block.hi[0]; ++cell[0]) {
      const Elements elements = value(std::as_const(cell));
      const std::byte* from = reinterpret_cast<const std::byte*>(&elements);
      for (std::size_t k = 0; k < fields.size(); ++k) {
        const auto size = static_cast<std::size_t>(fields[k].row_bytes());
        std::memcpy(host[k].data() + static_cast<std::size_t>(layout.row(cell)) * size, from, size);
        from += size;
      }
    }
  });
  for (std::size_t k = 0; k < fields.size(); ++k)
    fields[k].executor().copy_from_host(fields[k].data(), host[k].data(), host[k].size());
}

/// As above, for one field.
template <class Value>
void fill_cells(Field& field, const Value& value) {
  fill_cells(std::span<Field>(&field, 1), value);
}

}  // namespace gsim
