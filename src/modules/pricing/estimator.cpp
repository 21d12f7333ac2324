#include "estimator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scalar_math.hpp"

namespace gsim::pricing {
namespace {

// One replicate's mean with its control taken into account.
double controlled_mean(const BlockStatistics& s, double beta, double expectation) {
  return s.mean_x - beta * (s.mean_y - expectation);
}

// Standard error of n means around their mean.
double error_of_means(const std::vector<double>& means, double center) {
  if (means.size() < 2) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const double m : means) sum += square(m - center);
  const auto n = static_cast<double>(means.size());
  return std::sqrt(sum / (n * (n - 1)));
}

double error_of_samples(const BlockStatistics& s, double beta) {
  const double parameters = beta != 0 ? 2 : 1;  // the mean, and the fitted coefficient
  if (s.count <= parameters) return std::numeric_limits<double>::infinity();
  const double residual = std::max(0.0, s.m_xx - beta * s.m_xy);
  return std::sqrt(residual / ((s.count - parameters) * s.count));
}

}  // namespace

PriceEstimate estimate_price(std::span<const BlockStatistics> replicates,
                             const TradeProgram& program, double quantity, double confidence) {
  PriceEstimate result;
  BlockStatistics all;
  for (const BlockStatistics& s : replicates) {
    if (s.count > 0) all = all.count > 0 ? merge(all, s) : s;
  }
  if (all.count == 0) {
    result.standard_error = result.half_width = std::numeric_limits<double>::infinity();
    return result;
  }
  if (program.control != TradeProgram::Control::none && all.m_yy > 0)
    result.beta = all.m_xy / all.m_yy;
  Index degrees = 0;
  double mean = 0;
  if (replicates.size() == 1) {
    mean = controlled_mean(all, result.beta, program.control_expectation);
    result.standard_error = error_of_samples(all, result.beta);
  } else {
    std::vector<double> means;
    for (const BlockStatistics& s : replicates) {
      if (s.count == 0) continue;  // stopped before its first block
      means.push_back(controlled_mean(s, result.beta, program.control_expectation));
      mean += means.back();
    }
    mean /= static_cast<double>(means.size());
    result.standard_error = error_of_means(means, mean);
    degrees = static_cast<Index>(means.size()) - 1;
  }
  result.price = quantity * mean;
  result.standard_error *= std::fabs(quantity);
  result.samples = static_cast<Index>(all.count);
  result.half_width = student_quantile(0.5 + 0.5 * confidence, degrees) * result.standard_error;
  return result;
}

double student_quantile(double probability, Index degrees) {
  const double z = normal_quantile(probability);
  if (degrees == 0) return z;
  const double n = static_cast<double>(degrees), z2 = z * z;
  const double g1 = (z2 + 1) * z / 4;
  const double g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
  const double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
  const double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;
  return z + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}

EvaluationSchedule::EvaluationSchedule(Index wanted, Sampling sampling, Index replicates)
    : total_(std::max<Index>(wanted, 1)), unit_(1), powers_of_two_(sampling == Sampling::sobol) {
  if (!powers_of_two_) return;
  unit_ = replicates;
  Index sets = 1;
  while (sets * unit_ < wanted) sets *= 2;
  total_ = sets * unit_;
}

Index EvaluationSchedule::next(Index done) const {
  Index point = powers_of_two_ ? 1 : 4;
  while (point * unit_ <= done && point * unit_ < total_) {
    const Index between = point + point / 2;
    if (!powers_of_two_ && between > done) {
      point = between;
      break;
    }
    point *= 2;
  }
  return std::min(point * unit_, total_);
}

}  // namespace gsim::pricing
