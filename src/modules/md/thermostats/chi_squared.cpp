#include "src/modules/md/thermostats/chi_squared.hpp"

#include <cmath>

#include "gsim/core/error.hpp"
#include "gsim/math/log.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::md {

double chi_squared(PhiloxKey key, std::uint64_t entity, std::uint64_t step,
                   std::uint32_t first_block, Index freedom) {
  GSIM_EXPECT(freedom >= 0);
  if (freedom == 0) return 0;
  if (freedom == 1) {
    const double z = normals<double, Strict>(philox_block(key, entity, step, first_block))[0];
    return z * z;
  }
  const double d = 0.5 * static_cast<double>(freedom) - 1.0 / 3.0;
  const double c = 1 / std::sqrt(9 * d);
  // At least 95 % of the attempts are accepted, for every shape.
  constexpr std::uint32_t max_attempts = 1000;
  for (std::uint32_t block = first_block; block < first_block + max_attempts; ++block) {
    const auto words = philox_block(key, entity, step, block);
    const double x = normal_pair_double(words.x0, words.x1)[0];
    const double u = unit_double(words.x2, words.x3);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (log<Strict>(u) < 0.5 * x * x + d - d * v + d * log<Strict>(v)) return 2 * d * v;
  }
  throw NumericalError(
      "internal error: the rejection method failed a thousand times for one random number");
}

}  // namespace gsim::md
