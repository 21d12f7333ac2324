#include <algorithm>
#include <cmath>
#include <limits>

#include "gsim/engine/estimate.hpp"

namespace gsim {
namespace {

/// Samples of variance 0 have an error of NaN: it is unknown, and meets no target.
double nan_to_infinity(double error) {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

}  // namespace

void Evaluation::add(const Estimate& e, const StopRule& stop) {
  add(e.name, e.standard_error / std::fabs(e.mean), e.standard_error, stop, e.converged);
}

void Evaluation::add(const std::string& name, double relative, double absolute,
                     const StopRule& targets, bool is_converged) {
  relative = nan_to_infinity(relative);
  absolute = nan_to_infinity(absolute);
  ++judged;
  if (is_converged) {
    ++converged;
  } else {
    worst_relative_error = std::max(worst_relative_error, relative);
    worst_absolute_error = std::max(worst_absolute_error, absolute);
  }
  const double absolute_ratio = targets.absolute_error > 0 ? absolute / targets.absolute_error : -1;
  double relative_ratio = targets.absolute_error > 0 ? -1 : relative;
  if (targets.relative_error > 0) relative_ratio = relative / targets.relative_error;
  const double excess = std::max(absolute_ratio, relative_ratio);
  if (judged > 1) {
    if (is_converged && !worst.is_converged) return;
    if (is_converged == worst.is_converged && !(excess > worst.excess)) return;
  }
  const bool is_relative = relative_ratio >= absolute_ratio;
  worst = {name, is_relative ? relative : absolute, is_relative, excess, is_converged};
}

}  // namespace gsim
