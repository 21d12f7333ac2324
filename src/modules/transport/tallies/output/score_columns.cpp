#include "src/modules/transport/tallies/output/score_columns.hpp"

#include <cmath>
#include <limits>
#include <span>

namespace gsim::transport {

void ScoreColumns::add(const BatchStatistics& statistics, Index quantity) {
  const BatchMoments m = statistics.widened_moments(quantity);
  const SampleMoments spread = statistics.spread(quantity);
  mean_.push_back(m.mean);
  error_.push_back(m.standard_error);
  relative_.push_back(m.mean != 0 ? m.standard_error / std::abs(m.mean)
                                  : std::numeric_limits<double>::quiet_NaN());
  scoring_.push_back(spread.nonzero);
  vov_.push_back(variance_of_variance(spread));
}

void ScoreColumns::write(DatasetWriter& writer, const std::string& group, const std::string& score,
                         const std::string& unit, IndexRange rows, Index total) const {
  const std::string at = group + "/" + score;
  const auto write = [&](const std::string& path, const auto& column) {
    writer.write_rows(path, std::span(column), rows, total);
  };
  write(at, mean_);
  write(at + "_standard_error", error_);
  write(at + "_relative_error", relative_);
  write(at + "_scoring_batches", scoring_);
  write(at + "_vov", vov_);
  writer.attribute(
      at + "_standard_error", "description",
      "standard error of the mean; increased where fewer than 100 histories contribute");
  writer.attribute(at + "_scoring_batches", "description", "batches in which anything was scored");
  writer.attribute(at + "_vov", "description",
                   "variance of the variance over histories, estimated from batches: above 0.1 the "
                   "error is not reliable");
  writer.attribute(at, "unit", unit);
  writer.attribute(at + "_standard_error", "unit", unit);
}

}  // namespace gsim::transport
