#include "src/modules/transport/materials/discrete_angles.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::transport {
namespace {

/// Monic orthogonal polynomials p_{k+1} = (x - a_k) p_k - b_k p_{k-1}, b_0 = 1.
struct Recurrence {
  std::vector<double> a, b;

  /// Returns p_k(x), and p_0 … p_k in `all` unless it is null.
  double value(std::size_t k, double x, std::vector<double>* all = nullptr) const {
    double before = 0, now = 1;
    for (std::size_t i = 0; i < k; ++i) {
      if (all != nullptr) all->push_back(now);
      const double next = (x - a[i]) * now - b[i] * before;
      before = now;
      now = next;
    }
    return now;
  }
};

/// The modified Chebyshev algorithm (J. C. Wheeler, Rocky Mt. J. Math. 4 (1974) 287) from Legendre
/// moments f_0 … f_{2n-1}, or f_{2n-2}, in which case a_{n-1} is not set. Nothing when some b is
/// not positive.
std::optional<Recurrence> recurrence(std::span<const double> f) {
  const std::size_t count = f.size(), n = (count + 1) / 2;
  // Moments of the monic Legendre polynomials, whose recurrence has a = 0 and b = `c`.
  const auto c = [](std::size_t l) {
    const auto x = static_cast<double>(l * l);
    return x / (4 * x - 1);
  };
  std::vector<double> before(count, 0.0), now(count);
  double scale = 1;  // l! / (1 3 5 … (2 l - 1))
  for (std::size_t l = 0; l < count; ++l) {
    if (l > 0) scale *= static_cast<double>(l) / static_cast<double>(2 * l - 1);
    now[l] = f[l] * scale;
  }
  Recurrence r;
  r.b.push_back(1);
  r.a.push_back(count > 1 ? now[1] / now[0] : 0);
  for (std::size_t k = 1; k < n; ++k) {
    std::vector<double> next(count, 0.0);
    for (std::size_t l = k; l + k < count; ++l)
      next[l] = (l + 1 < count ? now[l + 1] : 0) - r.a[k - 1] * now[l] - r.b[k - 1] * before[l] +
                c(l) * now[l - 1];
    // A ratio of 1e-13 or less may be due to rounding and is regarded as not positive. Errors of
    // moments that are printed with six digits are much larger.
    if (!(next[k] > 1e-13 * now[k - 1])) return std::nullopt;
    r.b.push_back(next[k] / now[k - 1]);
    if (k + k + 1 < count) r.a.push_back(next[k + 1] / next[k] - now[k] / now[k - 1]);
    before = std::move(now);
    now = std::move(next);
  }
  return r;
}

/// Chooses a_{n-1} where the moments do not determine it: the mean of the two values for which -1
/// and 1 would be among the cosines.
void choose_last_coefficient(Recurrence& r) {
  const std::size_t n = r.b.size();
  if (r.a.size() == n) return;
  const auto end = [&](double x) {
    if (n == 1) return x;
    return x - r.b[n - 1] * r.value(n - 2, x) / r.value(n - 1, x);
  };
  r.a.push_back((end(-1) + end(1)) / 2);
}

/// The zeros of p_n, which are separated by the zeros of p_{n-1}. Nothing when one is outside
/// [-1, 1].
std::optional<std::vector<double>> zeros(const Recurrence& r) {
  std::vector<double> found;
  for (std::size_t k = 1; k <= r.a.size(); ++k) {
    std::vector<double> ends{-1.0};
    ends.insert(ends.end(), found.begin(), found.end());
    ends.push_back(1.0);
    found.clear();
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
      double low = ends[i], high = ends[i + 1];
      const double at_low = r.value(k, low), at_high = r.value(k, high);
      if (at_low == 0 || at_high == 0) {
        found.push_back(at_low == 0 ? low : high);
        continue;
      }
      if ((at_low > 0) == (at_high > 0)) return std::nullopt;
      for (int step = 0; step < 64; ++step) {
        const double middle = low + (high - low) / 2;
        ((r.value(k, middle) > 0) == (at_low > 0) ? low : high) = middle;
      }
      found.push_back(low + (high - low) / 2);
    }
  }
  return found;
}

/// The Gauss quadrature with the given moments; nothing if a weight is not positive or a cosine is
/// outside [-1, 1].
std::optional<DiscreteAngles> quadrature(std::span<const double> moments) {
  auto r = recurrence(moments);
  if (!r) return std::nullopt;
  choose_last_coefficient(*r);
  const auto cosines = zeros(*r);
  if (!cosines) return std::nullopt;
  DiscreteAngles angles{*cosines, {}, static_cast<int>(moments.size()) - 1};
  double total = 0;
  for (const double x : angles.cosines) {
    // The weight is 1 / (sum of squares of the orthonormal polynomials).
    std::vector<double> p;
    r->value(r->a.size(), x, &p);
    double norm = 1, sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
      norm *= r->b[k];
      sum += p[k] * p[k] / norm;
    }
    angles.weights.push_back(1 / sum);
    total += angles.weights.back();
  }
  // Zeros that agree up to rounding do not give a quadrature.
  if (std::abs(total - 1) > 1e-9) return std::nullopt;
  return angles;
}

}  // namespace

std::optional<DiscreteAngles> discrete_angles(std::span<const double> moments) {
  constexpr std::size_t max_moments = 16;
  std::vector<double> extended(moments.begin(), moments.end());
  extended.resize(std::max(max_moments, moments.size()), 0.0);
  for (std::size_t count = extended.size(); count >= std::max<std::size_t>(moments.size(), 2);
       --count)
    if (auto angles = quadrature(std::span(extended).first(count))) return angles;
  return std::nullopt;
}

}  // namespace gsim::transport
