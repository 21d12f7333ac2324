#pragma once
// gsim plot FILE.vtkhdf: a plane of cells of a field that a run wrote, as a picture.

#include <string>

#include "gsim/engine/module.hpp"
#include "src/app/app.hpp"

namespace gsim::app {

/// Whether the file's name says that it holds fields on a grid.
bool is_field_file(const std::string& path);

/// Draws `options.field` (empty: the file's first) of one step in a plane of cells across an axis,
/// the magnitude where it has several components, with axes, title and colour bar where
/// options.has_frame is set; colours are linear between the least and the largest value that is to
/// be seen, or of `options.range`. The picture stands beside the file, or is `options.picture`.
/// With options.is_film every step is drawn, all with the same colours: numbered pictures, and an
/// animated PNG. InputError where the file holds no such field, step or plane; IoError.
Drawing draw_fields(const std::string& path, const FieldPictureOptions& options);

}  // namespace gsim::app
