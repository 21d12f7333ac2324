#include "src/modules/transport/plots/tally_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/regular_file.hpp"
#include "gsim/io/result_file.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/policy.hpp"
#include "src/modules/transport/tallies/statistics/group_totals.hpp"

namespace gsim::transport {
namespace {

constexpr Colour outside_colour{255, 255, 255}, no_value_colour{160, 160, 160};
constexpr int legend_lines = 9;

double logarithm(double x) { return gsim::log<Strict>(x); }

/// The score of a tally that a picture shows: its values by bin of the mesh.
class ShownBins {
 public:
  ShownBins(const TallyPictureConfig& config, const TallyPlan& plan)
      : config_(config), plan_(plan) {
    const auto found = std::find_if(plan.tallies.begin(), plan.tallies.end(),
                                    [&](const TallyModel& t) { return t.name == config.tally; });
    if (found == plan.tallies.end()) {
      std::vector<std::string> known;
      for (const TallyModel& t : plan.tallies) known.push_back(t.name);
      fail(fmt::format("there is no tally `{}`", config.tally),
           suggest_known(config.tally, known, "there are"));
    }
    tally_ = &*found;
    choose_rows();
    choose_score();
  }

  const MeshConfig& mesh() const { return *mesh_; }
  std::vector<double> read(const std::string& path) const;
  /// The title, for example "flux of tally power, group 1".
  std::string title() const;
  /// The name of the quantity with its unit.
  std::string label() const;

 private:
  [[noreturn]] void fail(const std::string& problem, const std::string& advice = {}) const {
    throw ConfigError(config_.where, problem, advice);
  }
  /// Finds the mesh, and the rows of the tally that are summed for each of its bins.
  void choose_rows();
  void choose_sums();
  void choose_score();
  void check_definition(const ResultReader& file, const std::string& path) const;
  double volume(Index bin) const;

  const TallyPictureConfig& config_;
  const TallyPlan& plan_;
  const TallyModel* tally_ = nullptr;
  const MeshConfig* mesh_ = nullptr;
  Index mesh_stride_ = 1;          ///< number of rows from a bin of the mesh to the next one
  std::vector<Index> offsets_{0};  ///< rows to be summed, relative to the first row of a bin
  std::string sums_;               ///< path of these sums and their errors in the results
  std::string score_;
};

void ShownBins::choose_rows() {
  std::size_t others = 0;  // number of axes besides the mesh so far
  Index stride = tally_->rows;
  for (const TallyAxis& axis : tally_->axes) {
    stride /= axis.bins;
    if (axis.mesh >= 0) {
      mesh_ = &plan_.meshes[static_cast<std::size_t>(axis.mesh)];
      mesh_stride_ = stride;
      continue;
    }
    Index first = 0, last = axis.bins;
    if (!config_.bins.empty()) {
      if (others >= config_.bins.size() || config_.bins[others] > axis.bins)
        fail(others >= config_.bins.size()
                 ? fmt::format("bins has {} entries, but tally `{}` has more axes besides its mesh",
                               config_.bins.size(), tally_->name)
                 : fmt::format("tally `{}` has {} {}", tally_->name, axis.bins,
                               axis.bins == 1 ? axis.word : axis.plural_word));
      first = config_.bins[others] - 1;
      last = first + 1;
    }
    ++others;
    std::vector<Index> offsets;
    for (const Index offset : offsets_)
      for (Index bin = first; bin < last; ++bin) offsets.push_back(offset + bin * stride);
    offsets_ = std::move(offsets);
  }
  if (mesh_ == nullptr) fail(fmt::format("tally `{}` has no mesh", tally_->name));
  if (mesh_->kind != TallyMeshKind::rectilinear)
    fail(fmt::format("mesh `{}` is cylindrical", mesh_->name),
         "pictures show regular and rectilinear meshes only; the VTKHDF file of a mesh of any kind "
         "can be opened with ParaView");
  if (config_.bins.size() > others)
    fail(fmt::format("bins has {} entries, but tally `{}` has {} {} besides its mesh",
                     config_.bins.size(), tally_->name, others, others == 1 ? "axis" : "axes"));
  if (offsets_.size() > 1 && config_.show == TallyPictureConfig::Show::relative_error)
    choose_sums();
}

/// Selects the sums over groups, whose errors are in the results.
void ShownBins::choose_sums() {
  const TallyAxis* const groups = group_axis(*tally_);
  std::string others;
  for (const TallyAxis& axis : tally_->axes)
    if (axis.mesh < 0 && axis.bins > 1 && &axis != groups)
      others += fmt::format("{}{}", others.empty() ? "" : " and ", axis.plural_word);
  if (!others.empty())
    fail(
        fmt::format("the relative error of a sum over {} is not known: values of several bins come "
                    "from the same histories",
                    others),
        "choose a bin of each axis beside the mesh with `bins`");
  sums_ = "/sum_over_" + groups->plural_word;
  if (offsets_[1] < mesh_stride_)
    mesh_stride_ /= groups->bins;  // the axis of groups varies faster than the mesh
  offsets_ = {0};
}

void ShownBins::choose_score() {
  const std::vector<std::string>& known = tally_->score_names;
  score_ = config_.score.empty() ? known.front() : config_.score;
  if (std::find(known.begin(), known.end(), score_) == known.end())
    fail(fmt::format("tally `{}` has no score `{}`", tally_->name, score_),
         suggest_known(score_, known, "it has"));
}

double ShownBins::volume(Index bin) const {
  double volume = 1;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& bounds = mesh_->bounds[k];
    const auto i = static_cast<std::size_t>(bin % mesh_->bins(k));
    bin /= mesh_->bins(k);
    if (!bounds.empty()) volume *= bounds[i + 1] - bounds[i];
  }
  return volume;
}

/// InputError where the tally of the file differs from that of the configuration.
void ShownBins::check_definition(const ResultReader& file, const std::string& path) const {
  const std::string group = "tallies/" + tally_->name;
  if (!file.has(group + "/" + score_))
    throw InputError(
        fmt::format("{} has no score `{}` of a tally `{}`; run the configuration again", path,
                    score_, tally_->name));
  const auto number = static_cast<std::size_t>(tally_ - plan_.tallies.data());
  if (!file.has_attribute(group, "definition") ||
      file.attribute(group, "definition") != definition_of(plan_, number))
    throw InputError(
        fmt::format("{} has a tally `{}` with other bins, scores or cross sections; run the "
                    "configuration again",
                    path, tally_->name));
}

std::vector<double> ShownBins::read(const std::string& path) const {
  if (const std::string why = regular_file_problem(path); !why.empty())
    throw InputError(fmt::format(
        "cannot read {}: {}; pictures of tallies are made of a run's results: run it first", path,
        why));
  ResultReader file(Communicator::self(), path);
  check_definition(file, path);
  const bool is_error = config_.show == TallyPictureConfig::Show::relative_error;
  const std::string rows_at = fmt::format("tallies/{}{}/{}{}", tally_->name, sums_, score_,
                                          is_error ? "_relative_error" : "");
  if (!sums_.empty() && !file.has(rows_at))
    throw InputError(
        fmt::format("{} holds no errors of sums over groups: another version of gsim "
                    "wrote it; run the configuration again",
                    path));
  const auto rows = file.read<double>(rows_at);
  std::vector<double> values;
  for (Index bin = 0; bin < mesh_->bins(); ++bin) {
    double sum = 0;
    for (const Index offset : offsets_)
      sum += rows[static_cast<std::size_t>(bin * mesh_stride_ + offset)];
    values.push_back(is_error ? sum : sum / volume(bin));
  }
  return values;
}

std::string ShownBins::title() const {
  std::string title = fmt::format("{} of tally {}", score_, tally_->name);
  std::size_t other = 0;
  for (const TallyAxis& axis : tally_->axes) {
    if (axis.mesh >= 0 || axis.bins == 1) continue;
    if (config_.bins.empty()) {
      title += fmt::format(", sum over {}", axis.plural_word);
      continue;
    }
    const Index bin = config_.bins[other++] - 1;
    title += fmt::format(", {} {}", axis.word,
                         axis.names.empty() ? fmt::format("{}", bin + 1)
                                            : axis.names[static_cast<std::size_t>(bin)]);
  }
  return title;
}

std::string ShownBins::label() const {
  if (config_.show == TallyPictureConfig::Show::relative_error) return "relative standard error";
  const auto& names = tally_->score_names;
  const auto at = std::find(names.begin(), names.end(), score_) - names.begin();
  std::string unit = tally_->unit_names[static_cast<std::size_t>(at)];
  // Values are divided by the volume of bins in the dimensions that the mesh divides.
  std::size_t powers = 0;
  for (const auto& bounds : mesh_->bounds) powers += bounds.empty() ? 0 : 1;
  static constexpr std::array<std::string_view, 4> over{"1", "1/cm", "1/cm²", "1/cm³"};
  if (unit == "cm" && powers > 0)
    unit = over[powers - 1];
  else
    unit += std::string(over[powers].substr(1));
  return fmt::format("{} ({} per source particle)", score_, unit);
}

/// The bin of a mesh that contains x; -1: none.
Index bin_at(const MeshConfig& mesh, const std::array<double, 3>& x) {
  Index bin = 0;
  for (std::size_t k = 3; k-- > 0;) {
    const auto& bounds = mesh.bounds[k];
    Index i = 0;
    if (!bounds.empty()) {
      i = std::upper_bound(bounds.begin(), bounds.end(), x[k]) - bounds.begin() - 1;
      if (i < 0 || i >= mesh.bins(k)) return -1;
    }
    bin = bin * mesh.bins(k) + i;
  }
  return bin;
}

/// Whether a value can be shown on a logarithmic scale.
bool is_shown(double value) { return value > 0 && std::isfinite(value); }

std::array<double, 2> range_of(const TallyPictureConfig& config, const std::vector<Index>& bins,
                               const std::vector<double>& values) {
  if (!config.range.empty()) return {config.range[0], config.range[1]};
  std::array<double, 2> range{HUGE_VAL, 0};
  for (const Index bin : bins) {
    if (bin < 0 || !is_shown(values[static_cast<std::size_t>(bin)])) continue;
    range[0] = std::min(range[0], values[static_cast<std::size_t>(bin)]);
    range[1] = std::max(range[1], values[static_cast<std::size_t>(bin)]);
  }
  if (!(range[1] > 0)) return {1, 2};  // no positive values
  if (range[0] == range[1]) range[0] /= 2;
  return range;
}

}  // namespace

void describe_tally_picture(Section& s, TallyPictureConfig& c) {
  static constexpr std::array<std::string_view, 2> shows{"mean", "relative_error"};
  s.optional("tally", c.tally,
             {.doc = "name of a [[tally]] with a mesh that is drawn from the results of the run, "
                     "on a logarithmic scale of colours, in place of the geometry"});
  s.optional("score", c.score, {.doc = "score of the tally; left out: its first one"});
  s.optional("show", c.show, shows,
             {.doc = "quantity of the tally: means over the volumes of bins, or relative errors"});
  s.optional("bins", c.bins,
             {.doc = "bins of the tally's other axes (groups, cells, ...), numbered from 1, in the "
                     "order of its table; left out: the sum of all",
              .minimum = 1});
  s.optional("range", c.range,
             {.doc = "values of the darkest and the brightest colour; left out: the smallest and "
                     "the largest visible value",
              .minimum = 0,
              .exclusive_minimum = true,
              .min_size = 2,
              .max_size = 2});
}

void validate_tally_picture(const Section& s, TallyPictureConfig& c) {
  c.where = s.location("tally");
  const auto refuse = [&](const char* key, bool is_given) {
    if (c.tally.empty() && is_given)
      s.fail(key, fmt::format("`{}` belongs to a picture of a tally", key));
  };
  refuse("score", !c.score.empty());
  refuse("bins", !c.bins.empty());
  refuse("range", !c.range.empty());
  if (!c.range.empty() && !(c.range[0] < c.range[1])) s.fail("range", "the range must ascend");
}

Picture draw_tally(const TallyPictureConfig& config, const SliceOptions& slice,
                   const TallyPlan& plan, ThreadPool& pool, const std::string& results) {
  const ShownBins shown(config, plan);
  const std::vector<double> values = shown.read(results);
  Picture picture{slice.pixels[0], slice.pixels[1], {}, shown.title(), {}, {}};
  std::vector<Index> bins(static_cast<std::size_t>(picture.columns * picture.rows));
  pool.for_each(picture.rows, [&](Index row, int) {
    for (Index column = 0; column < picture.columns; ++column)
      bins[static_cast<std::size_t>(row * picture.columns + column)] =
          bin_at(shown.mesh(), pixel_centre(slice, column, row));
  });
  const std::array<double, 2> range = range_of(config, bins, values);
  picture.bar = ColourBar{shown.label(), range[0], range[1], true};
  const double low = logarithm(range[0]), width = logarithm(range[1]) - low;
  picture.rgb.reserve(3 * bins.size());
  Index outside_pixels = 0, no_value_pixels = 0;
  for (const Index bin : bins) {
    Colour colour = outside_colour;
    if (bin >= 0) {
      const double value = values[static_cast<std::size_t>(bin)];
      colour = is_shown(value) ? map_colour((logarithm(value) - low) / width) : no_value_colour;
      no_value_pixels += is_shown(value) ? 0 : 1;
    } else {
      ++outside_pixels;
    }
    picture.rgb.insert(picture.rgb.end(), colour.begin(), colour.end());
  }
  for (int line = 0; line < legend_lines; ++line) {
    const double fraction = static_cast<double>(line) / (legend_lines - 1);
    picture.legend.push_back({fmt::format("{:.3g}", gsim::exp<Strict>(low + fraction * width)),
                              map_colour(fraction), Picture::Entry::on_scale});
  }
  if (no_value_pixels > 0)
    picture.legend.push_back({"0, or not known", no_value_colour, no_value_pixels});
  if (outside_pixels > 0)
    picture.legend.push_back({"outside of the mesh", outside_colour, outside_pixels});
  return picture;
}

}  // namespace gsim::transport
