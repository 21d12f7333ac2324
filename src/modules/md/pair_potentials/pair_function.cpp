#include "src/modules/md/pair_potentials/pair_function.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {

PairFunction::PairFunction(const PairPotential& p)
    : kind_(p.kind), parameters_(p.parameters), cutoff_(p.cutoff) {
  if (!(cutoff_ > 0) || !std::isfinite(cutoff_))
    throw InputError(
        fmt::format("the cutoff of {} is {}; it must be positive", kind_->name, cutoff_));
  const bool is_xplor = p.smoothing == Smoothing::xplor;
  if (is_xplor && !(p.inner > 0 && p.inner < cutoff_))
    throw InputError(
        fmt::format("the smoothing of {} begins at {} and ends at {}; inner must be "
                    "positive and below the cutoff",
                    kind_->name, p.inner, cutoff_));
  if (is_xplor && kind_->is_charged)
    throw InputError(
        fmt::format("{} cannot be smoothed by xplor; use shift or force_shift", kind_->name));
  if (p.samples) {
    table_ = make_radial_function(*p.samples, cutoff_, p.smoothing, p.inner);
    // The last one is the offset, which coefficients() sets.
    parameters_ = {table_.first, table_.step, table_.intervals(), 0};
  }
  if (parameters_.size() != kind_->parameters.size())
    throw InputError(fmt::format("{} has {} parameters, not {}", kind_->name,
                                 kind_->parameters.size(), parameters_.size()));
  closest_ = p.closest > 0 ? p.closest : kind_->closest(parameters_.data(), cutoff_);
  if (!(closest_ >= 0))
    throw InputError(
        fmt::format("{} with these parameters is attractive at every distance; give `closest`, the "
                    "distance below which atoms overlap",
                    kind_->name));
  coefficients_.resize(static_cast<std::size_t>(kind_->size));
  kind_->coefficients(parameters_.data(), 1, coefficients_.data());
  const bool shifts_force = p.smoothing == Smoothing::force_shift;
  smoothed_ = kind_->can_be_smoothed && (is_xplor || shifts_force);
  if (smoothed_) {
    inner_ = is_xplor ? p.inner : cutoff_;
    force_at_cutoff_ = shifts_force ? bare_force(cutoff_) : 0;
    double front[smoothed_coefficients];
    kind_->smoothing(cutoff_, inner_, force_at_cutoff_, front);
    coefficients_.insert(coefficients_.begin(), front, front + smoothed_coefficients);
  }
  // (The polynomials of a table already contain the linear term of a shifted force.)
  if (p.smoothing == Smoothing::shift || shifts_force)
    shift_ = -(bare_energy(cutoff_) + cutoff_ * force_at_cutoff_);
}

double PairFunction::energy(double r) const {
  const auto function = smoothed_ ? kind_->smoothed_energy : kind_->energy;
  return function(r * r, coefficients_.data(), data()) + shift_;
}
double PairFunction::force(double r) const {
  const auto function = smoothed_ ? kind_->smoothed_force : kind_->force;
  return function(r * r, coefficients_.data(), data()) * r;
}
double PairFunction::bare_energy(double r) const {
  return kind_->energy(r * r, bare_coefficients(), data());
}
double PairFunction::bare_force(double r) const {
  return kind_->force(r * r, bare_coefficients(), data()) * r;
}

std::vector<double> PairFunction::coefficients(double scale, double offset) const {
  std::vector<double> c(static_cast<std::size_t>(size()));
  c[0] = cutoff_ * cutoff_;
  c[1] = shift_ * scale;
  double* next = c.data() + 2;
  if (smoothed_) {
    kind_->smoothing(cutoff_, inner_, force_at_cutoff_ * scale, next);
    next += smoothed_coefficients;
  }
  std::vector<double> parameters = parameters_;
  if (!table_.coefficients.empty()) parameters.back() = offset;
  kind_->coefficients(parameters.data(), scale, next);
  return c;
}

}  // namespace gsim::md
