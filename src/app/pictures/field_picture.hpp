#pragma once
// gsim plot FILE.vtkhdf: a picture of a plane of cells of a field.

#include <string>

#include "gsim/engine/module.hpp"
#include "src/app/app.hpp"

namespace gsim::app {

/// Whether the file's name is that of a file of fields on a grid.
bool is_field_file(const std::string& path);

/// Draws `options.field` (empty: the file's first) of one step in a plane of cells across an axis,
/// the magnitude where it has several components, with axes, title and colour bar where
/// options.has_frame is set; colours are linear between the smallest and the largest visible value,
/// or in `options.range`. The picture is written beside the file, or to `options.picture`. With
/// options.is_animated every step is drawn, all with the same colours: numbered pictures, and an
/// animated PNG. InputError where the file holds no such field, step or plane; IoError.
Drawing draw_fields(const std::string& path, const FieldPictureOptions& options);

}  // namespace gsim::app
