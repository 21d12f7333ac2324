#include "field_picture.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "field_plane.hpp"
#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "gsim/io/animated_png.hpp"
#include "gsim/io/figure.hpp"
#include "gsim/io/file_name.hpp"

namespace gsim::app {
namespace {

constexpr int legend_lines = 9;  // colours in the printed colour scale
constexpr int frame_milliseconds = 100;
constexpr Colour no_value_colour{160, 160, 160};

/// Size of the plane in pixels, `longer` that of the longer edge; at least one pixel for each cell.
std::array<Index, 2> pixels_of(const FieldPlane& plane, const VtkImage& image, Index longer) {
  std::array<double, 2> size{};
  std::array<Index, 2> cells{image.cells[plane.across], image.cells[plane.up]}, pixels{};
  size[0] = image.spacing[plane.across] * static_cast<double>(cells[0]);
  size[1] = image.spacing[plane.up] * static_cast<double>(cells[1]);
  const double longest = std::max(size[0], size[1]);
  for (std::size_t k = 0; k < 2; ++k)
    pixels[k] = std::max(
        {Index{1}, cells[k],
         static_cast<Index>(std::lround(static_cast<double>(longer) * size[k] / longest))});
  return pixels;
}

/// The values of the darkest and the brightest colour.
class Range {
 public:
  explicit Range(const std::vector<double>& given) : is_given_(!given.empty()) {
    if (!is_given_) return;
    GSIM_VALIDATE(given.size() == 2 && given[0] < given[1] && std::isfinite(given[1] - given[0]),
                  "--range must be two finite values in ascending order",
                  "write for example --range 0 1");
    low_ = given[0];
    high_ = given[1];
  }
  bool is_given() const { return is_given_; }
  /// Widens a range that was not given.
  void add(const std::vector<double>& shown) {
    for (const double x : shown)
      if (!is_given_ && std::isfinite(x)) {
        low_ = std::min(low_, x);
        high_ = std::max(high_, x);
      }
  }
  std::array<double, 2> ends() const {
    if (!(low_ <= high_)) return {0, 1};  // no finite value
    if (low_ == high_) return {low_, low_ + (low_ == 0 ? 1 : std::fabs(low_))};
    return {low_, high_};
  }

 private:
  bool is_given_;
  double low_ = HUGE_VAL, high_ = -HUGE_VAL;
};

/// "temperature (K)", or the label without a unit if it is empty.
std::string with_unit(const std::string& label, const std::string& unit) {
  return unit.empty() ? label : fmt::format("{} ({})", label, unit);
}
/// "0.5 m", or the number without a unit if it is empty.
std::string measured(double number, const std::string& unit) {
  return fmt::format("{:g}{}{}", number, unit.empty() ? "" : " ", unit);
}

/// Reads and draws one field in one plane of cells, at any step of its file.
class FieldFigure {
 public:
  FieldFigure(const std::string& path, const FieldPictureOptions& options)
      : file_(Communicator::self(), path),
        grid_(grid_of(file_, path, options.step)),
        plane_(plane_of(options.slice, grid_.image)),
        array_(array_of(file_, path, options.field)),
        name_(array_.substr(vtk_cell_data("").size())),
        unit_(unit_of(file_, array_)),
        pixels_(options.pixels),
        has_frame_(options.has_frame) {}

  const FieldGrid& grid() const { return grid_; }
  const std::string& name() const { return name_; }
  char axis() const { return "xyz"[plane_.axis]; }
  double time() const { return grid_.time; }

  void go_to(Index step, const std::string& path) { grid_ = grid_of(file_, path, step); }
  std::vector<double> read() { return values_of(file_, array_, grid_, plane_); }

  std::string plane_text() const {
    return fmt::format("{}, {} to the right, {} upwards", plane_title(), "xyz"[plane_.across],
                       "xyz"[plane_.up]);
  }
  std::string step_text() const {
    return fmt::format("step {} of 0 to {}, time {}", grid_.step, grid_.steps - 1,
                       measured(grid_.time, grid_.image.time_unit));
  }

  Raster draw(const std::vector<double>& values, const std::array<double, 2>& range) const {
    Figure figure;
    bool has_missing_values = false;
    figure.plane = colour(values, range, has_missing_values);
    if (!has_frame_) return std::move(figure.plane);
    figure.title = {plane_title()};
    if (grid_.has_steps) figure.title.push_back(step_text());
    figure.across = along(plane_.across);
    figure.up = along(plane_.up);
    figure.bar = ColourBar{.label = with_unit(name_, unit_), .low = range[0], .high = range[1]};
    if (has_missing_values) figure.legend.push_back({no_value_colour, "not a number"});
    return draw_figure(figure);
  }

 private:
  std::string plane_title() const {
    return fmt::format("{} at {} = {}", with_unit(name_, unit_), axis(),
                       measured(plane_.middle, grid_.image.length_unit));
  }
  FigureAxis along(std::size_t axis) const {
    const VtkImage& image = grid_.image;
    return {with_unit(std::string(1, "xyz"[axis]), image.length_unit), image.origin[axis],
            image.origin[axis] + image.spacing[axis] * static_cast<double>(image.cells[axis])};
  }

  Raster colour(const std::vector<double>& values, const std::array<double, 2>& range,
                bool& has_missing_values) const {
    const Index columns = grid_.image.cells[plane_.across], rows = grid_.image.cells[plane_.up];
    const auto pixels = pixels_of(plane_, grid_.image, pixels_);
    Raster raster{pixels[0], pixels[1], {}};
    raster.rgb.reserve(static_cast<std::size_t>(3 * pixels[0] * pixels[1]));
    for (Index y = 0; y < pixels[1]; ++y)
      for (Index x = 0; x < pixels[0]; ++x) {
        const Index i = x * columns / pixels[0];
        const Index j = (pixels[1] - 1 - y) * rows / pixels[1];
        const double value = values[static_cast<std::size_t>(j * columns + i)];
        has_missing_values = has_missing_values || !std::isfinite(value);
        const Colour colour = std::isfinite(value)
                                  ? map_colour((value - range[0]) / (range[1] - range[0]))
                                  : no_value_colour;
        raster.rgb.insert(raster.rgb.end(), colour.begin(), colour.end());
      }
    return raster;
  }

  ResultReader file_;
  FieldGrid grid_;
  FieldPlane plane_;
  std::string array_, name_, unit_;
  Index pixels_;
  bool has_frame_;
};

/// The colour scale as text: colours #rrggbb and their values.
std::vector<std::string> scale_lines(const std::array<double, 2>& range) {
  std::vector<std::string> lines;
  lines.reserve(legend_lines);
  for (int line = 0; line < legend_lines; ++line) {
    const double fraction = static_cast<double>(line) / (legend_lines - 1);
    const Colour c = map_colour(fraction);
    lines.push_back(fmt::format("#{:02x}{:02x}{:02x}  {:.4g}", c[0], c[1], c[2],
                                range[0] + fraction * (range[1] - range[0])));
  }
  return lines;
}

/// The raster with another size: cut off, or filled with white.
Raster resized(Raster from, Index columns, Index rows) {
  if (from.columns == columns && from.rows == rows) return from;
  Raster to{columns, rows,
            std::vector<std::uint8_t>(static_cast<std::size_t>(3 * columns * rows), 255)};
  const auto width = static_cast<std::ptrdiff_t>(3 * std::min(columns, from.columns));
  for (Index row = 0; row < std::min(rows, from.rows); ++row) {
    const auto line = from.rgb.begin() + static_cast<std::ptrdiff_t>(3 * row * from.columns);
    std::copy(line, line + width, to.rgb.begin() + static_cast<std::ptrdiff_t>(3 * row * columns));
  }
  return to;
}

std::string default_base(const std::string& path, const FieldFigure& figure) {
  return fmt::format("{}.{}.{}", std::filesystem::path(path).replace_extension("").string(),
                     sanitize_file_name(figure.name()), figure.axis());
}

/// The steps of an animation of at most `frames` frames (0: any number), the last step among them.
std::vector<Index> steps_of_film(Index steps, Index frames) {
  const Index n = frames == 0 ? steps : std::min(steps, frames);
  std::vector<Index> chosen;
  for (Index i = 1; i <= n; ++i) chosen.push_back(i * steps / n - 1);
  return chosen;
}

Drawing draw_film(const std::string& path, const FieldPictureOptions& options) {
  GSIM_VALIDATE(options.step < 0, "--film draws every step", "leave --step out");
  FieldFigure figure(path, options);
  GSIM_VALIDATE(figure.grid().has_steps, path + " does not contain a series of steps",
                "leave --film out");
  const std::vector<Index> steps = steps_of_film(figure.grid().steps, options.most_frames);
  Range range(options.range);
  if (!range.is_given())
    for (const Index step : steps) {
      figure.go_to(step, path);
      range.add(figure.read());
    }
  std::string base = options.picture.empty() ? default_base(path, figure) : options.picture;
  if (base.ends_with(".png")) base.erase(base.size() - 4);
  if (base.ends_with(".apng")) base.erase(base.size() - 5);
  const int digits = std::max(4, static_cast<int>(fmt::format("{}", steps.back()).size()));
  Drawing drawing;
  drawing.file = base + ".apng";
  AnimatedPng film(drawing.file, static_cast<Index>(steps.size()), frame_milliseconds);
  Index columns = 0, rows = 0;
  double first_time = 0;
  for (const Index step : steps) {
    figure.go_to(step, path);
    if (step == steps.front()) first_time = figure.time();
    Raster frame = figure.draw(figure.read(), range.ends());
    if (step == steps.front()) {
      columns = frame.columns;
      rows = frame.rows;
    }
    frame = resized(std::move(frame), columns, rows);
    if (options.is_numbered)
      write_png(fmt::format("{}.{:0{}}.png", base, step, digits), columns, rows, frame.rgb);
    film.add(frame);
  }
  film.commit();
  drawing.legend.push_back(figure.plane_text());
  drawing.legend.push_back(fmt::format("steps {} to {}, times {:g} to {}, {} frames a second",
                                       steps.front(), steps.back(), first_time,
                                       measured(figure.time(), figure.grid().image.time_unit),
                                       1000 / frame_milliseconds));
  if (options.is_numbered)
    drawing.legend.push_back(fmt::format("{}.{:0{}}.png to {}.{:0{}}.png, one for each step", base,
                                         steps.front(), digits, base, steps.back(), digits));
  for (std::string& line : scale_lines(range.ends())) drawing.legend.push_back(std::move(line));
  return drawing;
}

}  // namespace

bool is_field_file(const std::string& path) {
  return std::filesystem::path(path).extension() == ".vtkhdf";
}

Drawing draw_fields(const std::string& path, const FieldPictureOptions& options) {
  if (const std::string reason = regular_file_problem(path); !reason.empty())
    throw InputError(fmt::format("cannot draw {}: {}", path, reason));
  if (options.is_animated) return draw_film(path, options);
  FieldFigure figure(path, options);
  const std::vector<double> values = figure.read();
  Range range(options.range);
  range.add(values);
  Drawing drawing;
  drawing.file = options.picture.empty() ? default_base(path, figure) + ".png" : options.picture;
  const Raster raster = figure.draw(values, range.ends());
  write_png(drawing.file, raster.columns, raster.rows, raster.rgb);
  drawing.legend.push_back(figure.plane_text());
  if (figure.grid().has_steps) drawing.legend.push_back(figure.step_text());
  for (std::string& line : scale_lines(range.ends())) drawing.legend.push_back(std::move(line));
  return drawing;
}

}  // namespace gsim::app
