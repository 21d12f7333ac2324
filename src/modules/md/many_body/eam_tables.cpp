#include "src/modules/md/many_body/eam_tables.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "gsim/core/error.hpp"
#include "kernels/md/many_body/eam_math.hpp"

namespace gsim::md {
namespace {

/// The slopes of CubicTable at each value, times the step.
std::vector<double> slopes_of(std::span<const double> f) {
  const std::size_t n = f.size();
  std::vector<double> s(n);
  s[0] = f[1] - f[0];
  s[1] = 0.5 * (f[2] - f[0]);
  for (std::size_t k = 2; k + 2 < n; ++k)
    s[k] = ((f[k - 2] - f[k + 2]) + 8 * (f[k + 1] - f[k - 1])) / 12;
  s[n - 2] = 0.5 * (f[n - 1] - f[n - 3]);
  s[n - 1] = f[n - 1] - f[n - 2];
  return s;
}

/// `values` at 0, step, 2 step, … interpolated to `points` points at distances of `to_step`; beyond
/// the last value, that value.
std::vector<double> resampled(std::span<const double> values, double step, std::size_t points,
                              double to_step) {
  if (values.size() == points && step == to_step) return {values.begin(), values.end()};
  const CubicTable table(values, step);
  std::vector<double> result(points);
  for (std::size_t k = 0; k < points; ++k) {
    const double x = static_cast<double>(k) * to_step;
    result[k] = x > table.end() ? values.back() : table.at(x).value;
  }
  return result;
}

}  // namespace

CubicTable::CubicTable(std::span<const double> values, double step) : step_(step) {
  if (values.size() < 5 || !(step > 0))
    throw Error("internal error: a table needs at least five values and a positive step");
  const std::vector<double> s = slopes_of(values);
  intervals_.reserve(values.size() - 1);
  for (std::size_t k = 0; k + 1 < values.size(); ++k) {
    const double rise = values[k + 1] - values[k];
    intervals_.push_back(
        {s[k] + s[k + 1] - 2 * rise, 3 * rise - 2 * s[k] - s[k + 1], s[k], values[k]});
  }
}

CubicTable::Point CubicTable::at(double x) const {
  const auto point = md_kernels::at_point(curve(), x);
  return {point.value, point.slope};
}

EamTables make_eam_tables(const EamFile& file, std::span<const std::size_t> elements) {
  if (std::adjacent_find(elements.begin(), elements.end(), std::not_equal_to<>()) == elements.end())
    elements = elements.first(1);
  EamTables tables;
  tables.cutoff = file.cutoff;
  for (const std::size_t i : elements) {
    tables.embedding.emplace_back(file.elements[i].embedding, file.rho_step);
    for (const std::size_t j : elements) {
      tables.density.emplace_back(file.density(i, j), file.r_step);
      tables.r_phi.emplace_back(file.pair(i, j), file.r_step);
    }
  }
  return tables;
}

EamFile merge_funcfl(std::span<const EamFile> files) {
  EamFile merged;
  double r_end = 0, rho_end = 0;
  for (const EamFile& f : files) {
    const EamElement& e = f.elements[0];
    merged.r_step = std::max(merged.r_step, f.r_step);
    merged.rho_step = std::max(merged.rho_step, f.rho_step);
    merged.cutoff = std::max(merged.cutoff, f.cutoff);
    r_end = std::max(r_end, f.r_step * static_cast<double>(f.r_phi[0].size() - 1));
    rho_end = std::max(rho_end, f.rho_step * static_cast<double>(e.embedding.size() - 1));
  }
  const auto points = [](double end, double step) {
    return static_cast<std::size_t>(std::llround(std::ceil(end / step - 1e-9))) + 1;
  };
  const std::size_t r_points = points(r_end, merged.r_step),
                    rho_points = points(rho_end, merged.rho_step);
  std::vector<std::vector<double>> pairs;
  for (const EamFile& f : files) {
    EamElement e = f.elements[0];
    e.embedding = resampled(e.embedding, f.rho_step, rho_points, merged.rho_step);
    e.density = {resampled(e.density[0], f.r_step, r_points, merged.r_step)};
    merged.elements.push_back(std::move(e));
    pairs.push_back(resampled(f.r_phi[0], f.r_step, r_points, merged.r_step));
  }
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      std::vector<double> mean = pairs[i];
      if (i != j)
        for (std::size_t k = 0; k < r_points; ++k)
          mean[k] = std::sqrt(std::max(pairs[i][k] * pairs[j][k], 0.0));
      merged.r_phi.push_back(std::move(mean));
    }
  return merged;
}

}  // namespace gsim::md
