#include "src/modules/md/setup/velocities.hpp"

#include <cmath>
#include <vector>

#include "gsim/core/error.hpp"
#include "gsim/core/exact_sum.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::md {
namespace {

/// Order-independent sums of per-atom values over all ranks, rounded to 2^-60 of the largest of
/// them: `value(i)` returns the k values of local atom i.
template <std::size_t k, class Value>
std::array<double, k> sums_over_atoms(const Communicator& communicator, std::size_t atoms,
                                      const Value& value) {
  constexpr int exponent_of_zero = -2000;  // below that of any double: all values are 0
  double largest = 0;
  for (std::size_t i = 0; i < atoms; ++i)
    for (const double x : value(i)) {
      if (!std::isfinite(x)) throw NumericalError("a velocity or a mass is not finite");
      largest = std::max(largest, std::abs(x));
    }
  const int own_exponent = largest > 0 ? std::ilogb(largest) + 1 : exponent_of_zero;
  const int exponent = static_cast<int>(communicator.max(own_exponent));
  std::array<ExactSum, k> sums;
  if (exponent > exponent_of_zero)
    for (std::size_t i = 0; i < atoms; ++i) {
      const auto values = value(i);
      for (std::size_t c = 0; c < k; ++c)
        sums[c].add(std::llrint(std::ldexp(values[c], 60 - exponent)));
    }
  communicator.sum(std::span<ExactSum>(sums));
  std::array<double, k> result{};
  if (exponent > exponent_of_zero)
    for (std::size_t c = 0; c < k; ++c) result[c] = std::ldexp(sums[c].value(1), exponent - 60);
  return result;
}

}  // namespace

void draw_velocities(std::uint64_t seed, double temperature, const Units& units,
                     std::span<const std::int64_t> ids, std::span<const double> masses,
                     std::span<Vector3> velocities) {
  GSIM_VALIDATE(temperature >= 0 && std::isfinite(temperature),
                "the temperature of the initial velocities is " + std::to_string(temperature),
                "give 0 or more");
  const PhiloxKey key = stream_key({seed, Purpose::md_start_velocity});
  const double variance = units.boltzmann * temperature / units.energy_per_mv2;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(masses[i] > 0)) throw Error("internal error: an atom without mass has no velocity");
    const double width = std::sqrt(variance / masses[i]);
    const auto z =
        normals<double, Strict>(philox_block(key, static_cast<std::uint64_t>(ids[i]), 0, 0));
    velocities[i] = {width * z[0], width * z[1], width * z[2]};
  }
}

void adjust_velocities(const Communicator& communicator, double temperature, const Units& units,
                       const VelocityAdjustment& adjustment, std::span<const double> masses,
                       std::span<Vector3> velocities) {
  const Index atoms = communicator.sum(static_cast<Index>(velocities.size()));
  if (atoms == 0) return;
  if (adjustment.zero_momentum) {
    const auto sums = sums_over_atoms<4>(communicator, velocities.size(), [&](std::size_t i) {
      const Vector3& v = velocities[i];
      const double m = masses[i];
      return std::array<double, 4>{m * v[0], m * v[1], m * v[2], m};
    });
    for (Vector3& v : velocities)
      for (std::size_t a = 0; a < 3; ++a) v[a] -= sums[a] / sums[3];
  }
  if (!adjustment.exact_temperature) return;
  Index freedom = adjustment.degrees_of_freedom;
  if (freedom == 0) freedom = adjustment.zero_momentum ? 3 * atoms - 3 : 3 * atoms;
  const auto [mv2] = sums_over_atoms<1>(communicator, velocities.size(), [&](std::size_t i) {
    const Vector3& v = velocities[i];
    return std::array<double, 1>{masses[i] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2])};
  });
  if (temperature == 0) {
    for (Vector3& v : velocities) v = {};
    return;
  }
  GSIM_VALIDATE(freedom > 0 && mv2 > 0,
                "atoms that do not move, or one atom without momentum, have no temperature",
                "draw velocities first, or set no exact temperature");
  const double current =
      mv2 * units.energy_per_mv2 / (static_cast<double>(freedom) * units.boltzmann);
  const double factor = std::sqrt(temperature / current);
  for (Vector3& v : velocities)
    for (double& x : v) x *= factor;
}

}  // namespace gsim::md
