#include "src/modules/pricing/multilevel/level_sums.hpp"

#include "src/modules/pricing/closed_forms/scalar_math.hpp"

namespace gsim::pricing {

double LevelSums::variance() const { return count > 1 ? m2 / (count - 1) : 0; }
double LevelSums::fine_variance() const { return count > 1 ? fine_m2 / (count - 1) : 0; }
double LevelSums::kurtosis() const { return m2 > 0 ? count * m4 / (m2 * m2) : 0; }

LevelSums level_sums(std::span<const double> differences, std::span<const double> values) {
  LevelSums s;
  s.count = static_cast<double>(differences.size());
  for (const double y : differences) s.mean += y;
  for (const double p : values) s.fine_mean += p;
  s.mean /= s.count;
  s.fine_mean /= s.count;
  for (const double y : differences) {
    const double d = y - s.mean, d2 = d * d;
    s.m2 += d2;
    s.m3 += d2 * d;
    s.m4 += d2 * d2;
  }
  for (const double p : values) s.fine_m2 += square(p - s.fine_mean);
  return s;
}

LevelSums merge(const LevelSums& a, const LevelSums& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const double n = a.count + b.count, p = a.count / n, q = b.count / n;
  const double d = b.mean - a.mean, d2 = d * d, e = b.fine_mean - a.fine_mean;
  LevelSums s;
  s.count = n;
  s.mean = a.mean + d * q;
  s.m2 = a.m2 + b.m2 + d2 * a.count * q;
  s.m3 = a.m3 + b.m3 + d2 * d * a.count * q * (p - q) + 3 * d * (p * b.m2 - q * a.m2);
  s.m4 = a.m4 + b.m4 + d2 * d2 * a.count * q * (p * p - p * q + q * q) +
         6 * d2 * (p * p * b.m2 + q * q * a.m2) + 4 * d * (p * b.m3 - q * a.m3);
  s.fine_mean = a.fine_mean + e * q;
  s.fine_m2 = a.fine_m2 + b.fine_m2 + e * e * a.count * q;
  return s;
}

}  // namespace gsim::pricing
