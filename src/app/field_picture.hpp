#pragma once
// gsim plot FILE.vtkhdf: a plane of cells of a field that a run wrote, as a picture.

#include <string>

#include "app.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::app {

/// Whether the file's name says that it holds fields on a grid.
bool is_field_file(const std::string& path);

/// Draws `options.field` (empty: the file's first) of one step in a plane of cells across an axis,
/// the magnitude where it has several components; colours are linear between the least and the
/// largest value that is to be seen, or of `options.range`. The picture stands beside the file, or
/// is `options.picture`. InputError where the file holds no such field, step or plane; IoError.
Drawing draw_field(const std::string& path, const FieldPictureOptions& options);

}  // namespace gsim::app
