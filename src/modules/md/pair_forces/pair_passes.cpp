#include "src/modules/md/pair_forces/pair_passes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

/// The largest |force| and the largest max(|energy|, |force| r) of a potential on a grid of
/// distances, times `factor`. Energies at distances below `closest` are included where the force is
/// not larger than the largest one above it.
LargestForce largest_of(const PairFunction& u, double factor) {
  constexpr int points = 4096;
  LargestForce largest;
  const auto force = [&](double r) { return std::abs(u.force(r)) * factor; };
  const auto include_energy = [&](double r) {
    largest.energy = std::max({largest.energy, std::abs(u.energy(r)) * factor, force(r) * r});
  };
  const double step = u.cutoff() / points;
  const double first = u.closest() > 0 ? u.closest() : step;
  for (double r = first; r < u.cutoff(); r += step) {
    largest.force = std::max(largest.force, force(r));
    include_energy(r);
  }
  if (!std::isfinite(largest.force) || !std::isfinite(largest.energy))
    throw InputError(fmt::format(
        "the force of {} at the closest distance, {:.4g}, is not a finite number; correct "
        "its parameters, or give a larger `closest`",
        u.kind().name, first));
  for (int k = 1; k < points; ++k)
    if (force(k * step) <= largest.force) include_energy(k * step);
  // Between the points of the grid, soft potentials may have slightly larger values.
  if (!u.kind().is_steep) {
    largest.force *= 1.25;
    largest.energy *= 1.25;
  }
  return largest;
}

}  // namespace

PairPass::PairPass(const PotentialKind& kind, bool smoothed, int types)
    : kind_(&kind),
      smoothed_(smoothed),
      types_(types),
      functions_(static_cast<std::size_t>(types) * static_cast<std::size_t>(types)) {}

bool PairPass::can_hold(const PairFunction& function, int a, int b) const {
  return function.kind() == *kind_ && function.is_smoothed() == smoothed_ &&
         between(a, b) == nullptr;
}

void PairPass::add(const PairFunction& function, int a, int b) {
  functions_[index(a, b)] = function;
  functions_[index(b, a)] = function;
  const auto same = [&](const std::optional<PairFunction>& f) {
    return f && f->table().coefficients == function.table().coefficients &&
           f->closest() == function.closest() &&
           f->coefficients(1, 0) == function.coefficients(1, 0);
  };
  uniform_ = std::all_of(functions_.begin(), functions_.end(), same);
}

const PairFunction* PairPass::between(int a, int b) const {
  const auto& function = functions_[index(a, b)];
  return function ? &*function : nullptr;
}

LargestForce PairPass::largest(double charge_product) const {
  LargestForce all;
  for (const auto& function : functions_) {
    if (!function) continue;
    const LargestForce of_pair = largest_of(*function, kind_->is_charged ? charge_product : 1);
    all.force = std::max(all.force, of_pair.force);
    all.energy = std::max(all.energy, of_pair.energy);
  }
  return all;
}

std::size_t PairPass::row_length() const { return std::max(std::size_t{16}, functions_.size()); }

double PairPass::closest() const { return functions_[0]->closest(); }

std::vector<double> PairPass::coefficients(double scale) const {
  std::vector<double> all;
  double offset = 0;
  for (std::size_t p = 0; p < functions_.size(); ++p) {
    const auto& function = functions_[p];
    if (!function) continue;
    const std::vector<double> c = function->coefficients(scale, offset);
    if (all.empty()) all.assign(c.size() * row_length(), 0.0);
    for (std::size_t s = 0; s < c.size(); ++s) all[s * row_length() + p] = c[s];
    offset += function->table().intervals();
  }
  // Kernels compute indices, up to four times the number of intervals, exactly in floats.
  if (offset > 0x1p22)
    throw InputError("all tabulated potentials together have too many rows; give fewer rows");
  return all;
}

std::vector<double> PairPass::data() const {
  std::vector<double> all;
  for (std::size_t p = 0; p < functions_.size(); ++p)
    if (functions_[p]) {
      const auto& c = functions_[p]->table().coefficients;
      all.insert(all.end(), c.begin(), c.end());
    }
  return all;
}

std::vector<PairPass> passes_of(const PairTable& table) {
  std::vector<PairPass> passes;
  const auto add_function = [&](const PairFunction& function, int a, int b, int types) {
    auto pass = std::find_if(passes.begin(), passes.end(),
                             [&](const PairPass& p) { return p.can_hold(function, a, b); });
    if (pass == passes.end())
      pass = passes.insert(pass, PairPass(function.kind(), function.is_smoothed(), types));
    pass->add(function, a, b);
  };
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b)
      for (const PairPotential& p : table.between(a, b))
        add_function(PairFunction(p), a, b, table.types());
  for (const PairPotential& p : table.charged()) add_function(PairFunction(p), 0, 0, 1);
  return passes;
}

}  // namespace gsim::md
