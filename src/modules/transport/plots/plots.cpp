#include "src/modules/transport/plots/plots.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/io/figure.hpp"
#include "gsim/io/file_name.hpp"

namespace gsim::transport {
namespace {

/// The three middle planes of a box, with square pixels.
std::vector<PlotConfig> middle_planes(const SampleBox& box) {
  constexpr double longest = 800;  // pixels
  std::vector<PlotConfig> plots;
  for (const auto& [across, up] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
    PlotConfig plot;
    SliceOptions& o = plot.slice;
    plot.name = fmt::format("{}{}", "xyz"[across], "xyz"[up]);
    o.across = across;
    o.up = up;
    for (std::size_t a = 0; a < 3; ++a) o.center[a] = (box.lower[a] + box.upper[a]) / 2;
    const int axes[] = {across, up};
    for (std::size_t i = 0; i < 2; ++i) {
      const auto axis = static_cast<std::size_t>(axes[i]);
      o.size[i] = box.upper[axis] - box.lower[axis];
    }
    const double scale = longest / std::max(o.size[0], o.size[1]);
    for (std::size_t i = 0; i < 2; ++i)
      o.pixels[i] = std::max(Index{1}, static_cast<Index>(o.size[i] * scale));
    plots.push_back(plot);
  }
  return plots;
}

/// The picture with axes in cm and a legend of its colours.
Figure figure_of(const Picture& picture, const SliceOptions& o) {
  const int normal_axis = 3 - o.across - o.up;
  const auto along = [&](int axis, std::size_t i) {
    const double middle = o.center[static_cast<std::size_t>(axis)];
    return FigureAxis{fmt::format("{} (cm)", "xyz"[axis]), middle - o.size[i] / 2,
                      middle + o.size[i] / 2};
  };
  Figure figure;
  figure.title = {fmt::format("{} at {} = {:g} cm", picture.title, "xyz"[normal_axis],
                              o.center[static_cast<std::size_t>(normal_axis)])};
  figure.plane = {picture.columns, picture.rows, picture.rgb};
  figure.across = along(o.across, 0);
  figure.up = along(o.up, 1);
  figure.bar = picture.bar;
  for (const Picture::Entry& entry : picture.legend)
    if (entry.pixels != Picture::Entry::on_scale)
      figure.legend.push_back({entry.colour, entry.name});
  return figure;
}

/// Draws the boundaries of the regions of `geometry` on `picture`, which has the same pixels: in
/// white on dark colours and in black on bright ones.
void add_outlines(Picture& picture, const Picture& geometry) {
  constexpr int middle = 3 * 128;
  const auto is_boundary = [&](Index pixel, Index neighbour) {
    const auto a = geometry.rgb.begin() + static_cast<std::ptrdiff_t>(3 * pixel);
    return !std::equal(a, a + 3, geometry.rgb.begin() + static_cast<std::ptrdiff_t>(3 * neighbour));
  };
  for (Index row = 0; row < picture.rows; ++row)
    for (Index column = 0; column < picture.columns; ++column) {
      const Index pixel = row * picture.columns + column;
      const bool is_shown = (column + 1 < picture.columns && is_boundary(pixel, pixel + 1)) ||
                            (row + 1 < picture.rows && is_boundary(pixel, pixel + picture.columns));
      if (!is_shown) continue;
      const auto colour = picture.rgb.begin() + static_cast<std::ptrdiff_t>(3 * pixel);
      const int brightness = colour[0] + colour[1] + colour[2];
      std::fill_n(colour, 3, static_cast<std::uint8_t>(brightness < middle ? 255 : 0));
    }
}

/// The picture of a plot: of the geometry, or of a tally from the results `prefix`.h5.
Picture draw_plot(const PlotConfig& plot, const Geometry& geometry, ThreadPool& pool,
                  const std::string& results, const std::function<TallyPlan()>& plan) {
  if (plot.tally.tally.empty()) return draw_slice(geometry, pool, plot.slice);
  Picture picture = draw_tally(plot.tally, plot.slice, plan(), pool, results);
  if (plot.has_outlines) add_outlines(picture, draw_slice(geometry, pool, plot.slice));
  return picture;
}

/// The path of the file of results: `prefix` itself if it is a file, otherwise `prefix`.h5.
/// InputError if both exist.
std::string results_of(const std::string& prefix) {
  std::string usual = prefix + ".h5";
  if (!std::filesystem::is_regular_file(prefix)) return usual;
  if (std::filesystem::exists(usual))
    throw InputError(
        fmt::format("{} and {} both exist, and either may hold the results: move one "
                    "of them away",
                    prefix, usual));
  return prefix;
}

void describe_plot(Section& s, PlotConfig& plot) {
  s.required("name", plot.name, {.doc = "part of the file's name, after that of the results"});
  describe_slice(s, plot.slice);
  s.optional("frame", plot.has_frame,
             {.doc = "whether axes, a title and a legend or colour bar surround the plane"});
  describe_tally_picture(s, plot.tally);
  s.optional("outlines", plot.has_outlines,
             {.doc = "whether the boundaries of materials (or cells, by color_by) are drawn on the "
                     "picture of a tally"});
  plot.keys = s.locations();
}

}  // namespace

void describe_plots(Section& top, std::vector<PlotConfig>& plots) {
  top.tables<PlotConfig>(
      "plot", plots,
      validated(describe_plot,
                [](const Section& s, PlotConfig& plot) { validate_tally_picture(s, plot.tally); }),
      "plane through the geometry, or through a tally, that `gsim plot` draws; without any, the "
      "middle planes of the geometry");
}

void validate_plots(const std::vector<PlotConfig>& plots) {
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const PlotConfig& plot = plots[i];
    if (plot.name.find('/') != std::string::npos)
      plot.keys.fail("name", "the name of a plot contains a `/`",
                     "pictures are written beside the results");
    for (std::size_t j = 0; j < i; ++j)
      if (sanitize_file_name(plot.name) == sanitize_file_name(plots[j].name))
        plot.keys.fail("name",
                       plot.name == plots[j].name
                           ? fmt::format("two plots have the name `{}`", plot.name)
                           : fmt::format("plots `{}` and `{}` would be written to the same file",
                                         plots[j].name, plot.name));
  }
}

std::vector<Drawing> draw_plots(const std::vector<PlotConfig>& plots, const Geometry& geometry,
                                const SampleBox& box, ThreadPool& pool, const std::string& prefix,
                                const std::function<TallyPlan()>& plan) {
  std::vector<Drawing> drawings;
  for (const PlotConfig& plot : plots.empty() ? middle_planes(box) : plots) {
    const Picture picture =
        draw_plot(plot, geometry, pool, plot.tally.tally.empty() ? "" : results_of(prefix), plan);
    Drawing drawing;
    drawing.file = fmt::format("{}.{}.png", prefix, sanitize_file_name(plot.name));
    if (plot.has_frame) {
      const Raster framed = draw_figure(figure_of(picture, plot.slice));
      write_png(drawing.file, framed.columns, framed.rows, framed.rgb);
    } else {
      write_png(drawing.file, picture.columns, picture.rows, picture.rgb);
    }
    const auto pixels = static_cast<double>(picture.columns * picture.rows);
    for (const Picture::Entry& entry : picture.legend)
      drawing.legend.push_back(fmt::format(
          "#{:02x}{:02x}{:02x}  {}{}", entry.colour[0], entry.colour[1], entry.colour[2],
          entry.pixels == Picture::Entry::on_scale
              ? ""
              : fmt::format("{:5.1f} %  ", 100 * static_cast<double>(entry.pixels) / pixels),
          entry.name));
    drawings.push_back(std::move(drawing));
  }
  return drawings;
}

}  // namespace gsim::transport
