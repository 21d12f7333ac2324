#include "src/modules/md/long_range/charge_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gsim/core/error.hpp"
#include "gsim/math/scalar.hpp"

namespace gsim::md {
namespace {

std::int64_t in_units(double x) { return static_cast<std::int64_t>(round_even(x)); }

}  // namespace

ChargeSums sum_charges(const Communicator& communicator, std::span<const double> charges) {
  double largest = 0;
  bool is_finite = true;
  for (const double q : charges) {
    is_finite = is_finite && std::isfinite(q);
    largest = std::max(largest, std::abs(q));
  }
  if (communicator.any(!is_finite)) throw InputError("a charge is not a finite number");
  ChargeSums result;
  result.atoms = communicator.sum(static_cast<std::int64_t>(charges.size()));
  // Non-negative doubles are ordered like their bit patterns.
  result.largest = std::bit_cast<double>(communicator.max(std::bit_cast<std::int64_t>(largest)));
  if (result.largest == 0) return result;
  // The units are so small that charges with a few decimals are multiples of them up to rounding.
  const int exponent = std::ilogb(result.largest);
  const double unit = std::ldexp(1.0, exponent - 60);
  const double square_unit = std::ldexp(1.0, 2 * exponent - 60);
  std::array<ExactSum, 3> sums;
  for (const double q : charges) {
    sums[0].add(in_units(q / unit));
    sums[1].add(in_units(std::abs(q) / unit));
    sums[2].add(in_units(q * q / square_unit));
  }
  communicator.sum(sums);
  result.total = sums[0].value(unit);
  result.absolute = sums[1].value(unit);
  result.squares = sums[2].value(square_unit);
  return result;
}

}  // namespace gsim::md
