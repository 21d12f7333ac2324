#include "src/modules/transport/materials/infinite_medium.hpp"

#include <cmath>
#include <utility>

namespace gsim::transport {
namespace {

using Doubles = std::vector<double>;

/// A square matrix by rows.
struct Matrix {
  explicit Matrix(std::size_t size) : n(size), values(size * size, 0.0) {}
  double& at(std::size_t row, std::size_t column) { return values[row * n + column]; }
  std::size_t n;
  Doubles values;
};

/// Solves a x = b by Gaussian elimination with pivoting: `x` holds b before and the solution after
/// the call. False when a is singular.
bool solve(Matrix a, Doubles& x) {
  for (std::size_t k = 0; k < a.n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < a.n; ++i)
      if (std::abs(a.at(i, k)) > std::abs(a.at(pivot, k))) pivot = i;
    if (!(std::abs(a.at(pivot, k)) > 0)) return false;
    for (std::size_t j = 0; j < a.n; ++j) std::swap(a.at(k, j), a.at(pivot, j));
    std::swap(x[k], x[pivot]);
    for (std::size_t i = k + 1; i < a.n; ++i) {
      const double factor = a.at(i, k) / a.at(k, k);
      for (std::size_t j = k; j < a.n; ++j) a.at(i, j) -= factor * a.at(k, j);
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = a.n; k-- > 0;) {
    for (std::size_t j = k + 1; j < a.n; ++j) x[k] -= a.at(k, j) * x[j];
    x[k] /= a.at(k, k);
  }
  return true;
}

/// The matrix of total cross sections minus scattering from group h (column) to group g (row).
Matrix losses(const Material& m) {
  const auto n = static_cast<std::size_t>(m.groups);
  Matrix a(n);
  for (std::size_t h = 0; h < n; ++h) {
    a.at(h, h) += m.total[h];
    for (std::size_t g = 0; g < n; ++g) {
      const double yield = m.multiplicity.empty() ? 1 : m.multiplicity[h * n + g];
      a.at(g, h) -= yield * m.scatter[0][h * n + g];
    }
  }
  return a;
}

/// Fission neutrons born in each group, prompt and delayed.
Doubles fission_source(const Material& m, const Doubles& flux) {
  const auto n = static_cast<std::size_t>(m.groups);
  Doubles source(n, 0.0);
  for (std::size_t h = 0; h < n; ++h) {
    const double born = m.nu_fission[h] * flux[h];
    double prompt = 1;
    for (std::size_t d = 0; d < m.delayed.fractions.size(); ++d) {
      prompt -= m.delayed.fractions[d][h];
      for (std::size_t g = 0; g < n; ++g)
        source[g] += born * m.delayed.fractions[d][h] * m.delayed.spectra[d][g];
    }
    const std::size_t row = m.chi_is_matrix() ? h * n : 0;
    for (std::size_t g = 0; g < n; ++g) source[g] += born * prompt * m.chi[row + g];
  }
  return source;
}

}  // namespace

std::optional<InfiniteMedium> infinite_medium(const Material& m) {
  if (!m.is_fissile()) return std::nullopt;
  const Matrix a = losses(m);
  InfiniteMedium result{0, Doubles(static_cast<std::size_t>(m.groups), 1.0)};
  // Power iteration on fission sources; with one spectrum for all groups the first step is exact.
  Doubles source(result.flux.size(), 1.0);
  source = fission_source(m, source);
  for (int iteration = 0; iteration < 10000; ++iteration) {
    double before = 0, after = 0, sum = 0;
    for (const double s : source) before += s;
    Doubles flux = source;
    if (!solve(a, flux)) return std::nullopt;
    source = fission_source(m, flux);
    for (const double s : source) after += s;
    for (const double f : flux) sum += f;
    const double k = after / before;
    for (double& s : source) s /= after;
    const bool is_done = std::abs(k - result.k) <= 1e-14 * k;
    result.k = k;
    for (double& f : flux) f /= sum;
    result.flux = std::move(flux);
    if (is_done) break;
  }
  return result;
}

}  // namespace gsim::transport
