#include "gsim/engine/field_state.hpp"

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/misuse.hpp"

namespace gsim::detail {
namespace {

void check_type(ElementType type, const Field& field) {
  if (static_cast<Index>(element_size(type)) * field.components() != field.row_bytes())
    throw MisuseError(
        "a field is saved or restored as elements of another size; give the element type with "
        "which it was created");
}

}  // namespace

void save_field(DatasetWriter& writer, std::string_view path, ElementType type,
                const FieldRows& rows, const Field& field) {
  check_type(type, field);
  const std::vector<std::byte> mine = rows.from_field(field);
  writer.write_rows(path, DatasetShape{type, rows.rows(), field.components()}, rows.mine(),
                    mine.data());
  if (!field.quantity().unit.empty()) writer.attribute(path, "unit", field.quantity().unit);
}

void restore_field(DatasetReader& reader, std::string_view path, ElementType type,
                   const FieldRows& rows, Field& field) {
  check_type(type, field);
  const DatasetShape shape = reader.shape(path);
  if (shape.rows != rows.rows() || shape.columns != field.components())
    throw IoError(
        fmt::format("dataset {} has {} rows of {} columns; a field of {} cells with {} "
                    "components is to be read from it",
                    path, shape.rows, shape.columns, rows.rows(), field.components()));
  std::vector<std::byte> mine(static_cast<std::size_t>(rows.mine().size() * field.row_bytes()));
  reader.read_rows(path, type, rows.mine(), mine.data());
  rows.to_field(mine, field);
}

}  // namespace gsim::detail
