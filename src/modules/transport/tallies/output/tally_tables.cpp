// Tallies in result files: a group per tally, a row per combination of bins, columns for the bins
// and for each score.

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include <fmt/format.h>

#include "src/modules/transport/tallies/output/score_columns.hpp"
#include "src/modules/transport/tallies/tally_set.hpp"

namespace gsim::transport {
namespace {

/// Tables up to this number of rows contain the names of bins, for which every rank needs memory;
/// larger tables contain the numbers of bins.
constexpr Index max_named_rows = 100000;

/// By TallyEstimator; tallies of crossings are analog ones, as in OpenMC.
constexpr std::array<std::string_view, tally_estimators> estimator_names{
    "track_length", "collision", "analog", "analog", "next_event"};

/// The column of positions along a dimension of a mesh: "x_cm".
std::string position_column(const std::string& dimension) {
  return dimension + (dimension == "phi" ? "_degree" : "_cm");
}

/// The names of the axes and their numbers of bins; the bin of the first axis varies slowest from
/// row to row.
std::string shape_text(const TallyModel& t) {
  std::string text;
  for (const TallyAxis& axis : t.axes)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", axis.word, axis.bins);
  return text.empty() ? "one row" : text;
}

}  // namespace

std::array<std::string, 3> dimension_names(const MeshConfig& mesh) {
  if (mesh.kind == TallyMeshKind::cylindrical) return {"r", "phi", "z"};
  return {"x", "y", "z"};
}

/// Writes one tally's table.
class TallyTables {
 public:
  TallyTables(const TallySet& set, const TallySet::Rows& part, DatasetWriter& writer)
      : TallyTables(set, part, set.plan_.tallies[part.tally],
                    "tallies/" + set.plan_.tallies[part.tally].name, writer) {}
  /// Writes the rows of `model` under `group`.
  TallyTables(const TallySet& set, const TallySet::Rows& part, const TallyModel& model,
              std::string group, DatasetWriter& writer)
      : set_(set), part_(part), t_(model), writer_(writer), group_(std::move(group)) {}

  /// Writes the bins of each row.
  void write_rows() {
    Index stride = t_.rows;
    for (const TallyAxis& axis : t_.axes) {
      stride /= axis.bins;
      write_labels(axis, stride);
    }
  }
  void write() {
    write_bins();
    write_rows();
    for (std::size_t s = 0; s < t_.scores.size(); ++s) write_score(s);
    writer_.attribute(group_, "rows", shape_text(t_));
    writer_.attribute(group_, "definition", definition_of(set_.plan_, part_.tally));
    writer_.attribute(group_, "estimator", estimator_names[static_cast<std::size_t>(t_.estimator)]);
    writer_.attribute(group_, "batches", fmt::format("{}", set_.batches()));
    writer_.attribute(group_, "degrees_of_freedom",
                      fmt::format("{}", set_.statistics_.degrees_of_freedom()));
  }

 private:
  /// Writes the bins of each axis.
  void write_bins() {
    for (const TallyAxis& axis : t_.axes) {
      const std::string at = group_ + "/bins/" + axis.word;
      if (!axis.names.empty()) writer_.write_strings(at, axis.names);
      if (!axis.bounds.empty()) {
        writer_.write(at, axis.bounds);
        writer_.attribute(at, "unit", axis.unit);
      }
      for (const FilterBins::Data& data : axis.data) {
        const std::string name = group_ + "/bins/" + data.name;
        writer_.write(name, data.values);
        writer_.attribute(name, "unit", data.unit);
      }
      if (axis.mesh < 0) continue;
      const MeshConfig& mesh = set_.plan_.meshes[static_cast<std::size_t>(axis.mesh)];
      const auto words = dimension_names(mesh);
      for (std::size_t k = 0; k < 3; ++k) {
        if (mesh.bounds[k].empty()) continue;
        writer_.write(at + "_" + words[k], mesh.bounds[k]);
        writer_.attribute(at + "_" + words[k], "unit", words[k] == "phi" ? "degree" : "cm");
      }
    }
  }

  Index bin(const TallyAxis& axis, Index stride, Index row) const {
    return row / stride % axis.bins;
  }

  void write_column(const std::string& name, const std::function<double(Index row)>& value) {
    std::vector<double> column;
    column.reserve(static_cast<std::size_t>(part_.rows.size()));
    for (Index row = part_.rows.first; row < part_.rows.last; ++row) column.push_back(value(row));
    writer_.write_rows(group_ + "/" + name, std::span<const double>(column), part_.rows, t_.rows);
  }
  /// Writes numbers that count from 1.
  void write_numbers(const std::string& name, const std::function<Index(Index row)>& value) {
    write_integers(name, [&](Index row) { return value(row) + 1; });
  }
  void write_integers(const std::string& name, const std::function<Index(Index row)>& value) {
    std::vector<std::int64_t> column;
    for (Index row = part_.rows.first; row < part_.rows.last; ++row) column.push_back(value(row));
    writer_.write_rows(group_ + "/" + name, std::span<const std::int64_t>(column), part_.rows,
                       t_.rows);
  }

  void write_labels(const TallyAxis& axis, Index stride) {
    const std::string& word = axis.word;
    if (axis.mesh >= 0) return write_mesh_labels(axis, stride);
    if (!axis.names.empty() && t_.rows <= max_named_rows) {
      std::vector<std::string> names;
      for (Index row = 0; row < t_.rows; ++row)
        names.push_back(axis.names[static_cast<std::size_t>(bin(axis, stride, row))]);
      return writer_.write_strings(group_ + "/" + word, names);
    }
    if (!axis.names.empty() || axis.is_by_group || axis.bounds.empty())
      return write_numbers(word, [&](Index row) { return bin(axis, stride, row); });
    for (const std::size_t end : {0, 1})
      write_column(word + (end == 0 ? "_low" : "_high"), [&](Index row) {
        return axis.bounds[static_cast<std::size_t>(bin(axis, stride, row)) + end];
      });
  }
  void write_mesh_labels(const TallyAxis& axis, Index stride) {
    const MeshConfig& mesh = set_.plan_.meshes[static_cast<std::size_t>(axis.mesh)];
    const auto words = dimension_names(mesh);
    for (std::size_t k = 0; k < 3; ++k) {
      if (mesh.bounds[k].empty()) continue;
      write_numbers(words[k], [&](Index row) { return row / stride % mesh.bins(k); });
      write_column(position_column(words[k]), [&](Index row) {
        const auto i = static_cast<std::size_t>(row / stride % mesh.bins(k));
        return 0.5 * (mesh.bounds[k][i] + mesh.bounds[k][i + 1]);
      });
      stride *= mesh.bins(k);
    }
  }

  void write_score(std::size_t score) {
    const auto value = [&](Index row) {
      return part_.first + (row - part_.rows.first) * t_.columns() + static_cast<Index>(score);
    };
    ScoreColumns columns;
    for (Index row = part_.rows.first; row < part_.rows.last; ++row)
      columns.add(set_.statistics_, value(row));
    columns.write(writer_, group_, std::string(t_.score_names[score]), t_.unit_names[score],
                  part_.rows, t_.rows);
  }

  const TallySet& set_;
  const TallySet::Rows& part_;
  const TallyModel& t_;
  DatasetWriter& writer_;
  std::string group_;
};

void TallySet::write_results(DatasetWriter& writer) const {
  for (const Rows& part : rows_of(rows_)) {
    TallyTables(*this, part, writer).write();
    if (!group_totals_.has(part.tally)) continue;
    const TallyModel& t = plan_.tallies[part.tally];
    const TallyModel totals = without_groups(t);
    const std::string group =
        fmt::format("tallies/{}/sum_over_{}", t.name, group_axis(t)->plural_word);
    const Rows rows{part.tally,
                    partition({0, totals.rows}, communicator_.size(), communicator_.rank()), 0};
    TallyTables(*this, rows, totals, group, writer).write_rows();
    group_totals_.write_scores(writer, t, part.tally, group);
  }
}

/// A warning where blocks of batches are too short, so that errors of the tally are underestimated;
/// empty otherwise. The growth of variances with the length of blocks is averaged over all values
/// of the tally, since the estimate from one value is uncertain. Collective.
std::string TallySet::warning_on_short_blocks(const Rows& part) const {
  constexpr double unit = 0x1p-20;  // integers, so that the sum does not depend on ranks
  constexpr double max_growth = 1000;
  Index sum = 0, known_values = 0;
  for (Index v = part.first;
       v < part.first + part.rows.size() * plan_.tallies[part.tally].columns(); ++v) {
    const double growth = statistics_.growth(v);
    if (!(growth > 0)) continue;
    sum += std::llround(std::min(growth, max_growth) / unit);
    ++known_values;
  }
  sum = communicator_.sum(sum);
  known_values = communicator_.sum(known_values);
  if (known_values == 0) return {};
  const auto count = static_cast<double>(known_values);
  const double mean = static_cast<double>(sum) * unit / count;
  // A growth by 20 %, and three standard errors of the mean, about 0.5 for one value.
  if (mean < 1.2 + 1.5 / std::sqrt(count)) return {};
  return fmt::format(
      "; THESE ERRORS ARE TOO SMALL: with blocks of twice as many batches they grow by {:.0f} %, "
      "run more batches",
      100 * (std::sqrt(mean) - 1));
}

/// A note on values to which so few histories contribute that their errors are unreliable; empty if
/// there are none. Collective.
std::string TallySet::note_on_few_histories(const Rows& part) const {
  const TallyModel& t = plan_.tallies[part.tally];
  Index few = 0;
  for (Index v = part.first; v < part.first + part.rows.size() * t.columns(); ++v)
    few += statistics_.contributing_histories(v) < min_contributing_samples ? 1 : 0;
  few = communicator_.sum(few);
  if (few == 0) return {};
  const std::string subject =
      t.values() == 1 ? "it is estimated"
      : few == 1      ? fmt::format("1 of its {} values is estimated", t.values())
                      : fmt::format("{} of its {} values are estimated", few, t.values());
  return fmt::format(
      "; {} from fewer than {:.0f} contributing histories (variance of the variance above {:g}): "
      "such errors are increased and never satisfy a trigger",
      subject, min_contributing_samples, 1 / min_contributing_samples);
}

std::vector<std::string> TallySet::summary(double seconds) const {
  constexpr double unit = 1e-6;  // s
  seconds = unit * static_cast<double>(communicator_.sum(Index{std::llround(seconds / unit)}));
  std::vector<std::string> lines;
  for (const Rows& part : rows_of(rows_)) {
    const TallyModel& t = plan_.tallies[part.tally];
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    Index zeros = 0;
    for (Index v = part.first; v < part.first + part.rows.size() * t.columns(); ++v) {
      const BatchMoments m = statistics_.widened_moments(v);
      if (m.mean == 0) {
        ++zeros;
        continue;
      }
      const double relative = m.standard_error / std::abs(m.mean);
      smallest = std::min(smallest, relative);
      largest = std::max(largest, relative);
    }
    // Integers with the bits of positive doubles have the same order as the doubles.
    largest = std::bit_cast<double>(communicator_.max(std::bit_cast<std::int64_t>(largest)));
    smallest = std::bit_cast<double>(communicator_.min(std::bit_cast<std::int64_t>(smallest)));
    zeros = communicator_.sum(zeros);
    std::string line =
        fmt::format("tally `{}`: {}", t.name,
                    t.values() == 1 ? "1 value" : fmt::format("{} values", t.values()));
    if (zeros < t.values() && std::isfinite(largest))
      line += fmt::format(", relative errors {:.2g} to {:.2g} %", 100 * smallest, 100 * largest);
    if (zeros > 0) line += fmt::format(", {} of the values are 0", zeros);
    if (largest > 0 && std::isfinite(largest) && seconds > 0)
      line += fmt::format(", figure of merit {:.3g}/s of {} time at the largest error",
                          1 / (largest * largest * seconds),
                          executor_.is_cuda() ? "device" : "processor");
    lines.push_back(line + warning_on_short_blocks(part) + note_on_few_histories(part));
  }
  return lines;
}

}  // namespace gsim::transport
