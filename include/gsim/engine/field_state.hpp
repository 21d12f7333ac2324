#pragma once
// Fields in checkpoints and results: saved and restored as one dataset on any number of ranks.

#include <string_view>

#include "gsim/domain/field.hpp"
#include "gsim/domain/field_rows.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim {

/// Saves the cells of a field as dataset `path` with one row for each cell (the first axis varies
/// fastest) and one column for each component; ghosts are not saved. Its attribute `unit` is that
/// of the field, if it has one. T is the type of the elements; Error if their size differs from
/// that of T. Collective.
template <class T>
void save_field(DatasetWriter& writer, std::string_view path, const FieldRows& rows,
                const Field& field);

/// Reads the cells of a field from such a dataset, on any number of ranks; ghosts are not changed.
/// IoError for a dataset that is missing, or of another type or shape. Collective.
template <class T>
void restore_field(DatasetReader& reader, std::string_view path, const FieldRows& rows,
                   Field& field);

namespace detail {
void save_field(DatasetWriter& writer, std::string_view path, ElementType type,
                const FieldRows& rows, const Field& field);
void restore_field(DatasetReader& reader, std::string_view path, ElementType type,
                   const FieldRows& rows, Field& field);
}  // namespace detail

template <class T>
void save_field(DatasetWriter& writer, std::string_view path, const FieldRows& rows,
                const Field& field) {
  detail::save_field(writer, path, element_type<T>(), rows, field);
}
template <class T>
void restore_field(DatasetReader& reader, std::string_view path, const FieldRows& rows,
                   Field& field) {
  detail::restore_field(reader, path, element_type<T>(), rows, field);
}

}  // namespace gsim
