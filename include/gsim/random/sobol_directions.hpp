#pragma once
// Direction numbers of the Sobol sequence, computed on the host; sobol.hpp generates the points.

#include <cstdint>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// Dimensions in the table of Joe and Kuo (2008), file new-joe-kuo-6.21201.
inline constexpr Index sobol_max_dimensions = 21201;
/// Direction numbers per dimension, hence 2^32 points.
inline constexpr int sobol_bits = 32;

/// The direction numbers of the first `dimensions` dimensions, from the primitive polynomials and
/// initial numbers of Joe and Kuo, "Constructing Sobol sequences with better two-dimensional
/// projections", SIAM J. Sci. Comput. 30, 2635 (2008).
class SobolDirections {
 public:
  /// Throws InputError if `dimensions` is negative or above sobol_max_dimensions.
  explicit SobolDirections(Index dimensions);

  Index dimensions() const { return dimensions_; }
  /// v_1 … v_32 of dimension `d` (from 0) as binary fractions scaled by 2^32.
  const std::uint32_t* dimension(Index d) const { return numbers_.data() + d * sobol_bits; }
  /// All numbers, [dimension][32].
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }
  /// As above with the bits of every number reversed, the form that kernels use (sobol.hpp).
  std::vector<std::uint32_t> reversed() const;
  /// [32][dimensions]: entry (t, d) is the exclusive or of the first t + 1 reversed numbers of
  /// dimension d, which transforms point i - 1 to point i where t is the number of trailing zeros
  /// of i: all dimensions of a point advance in one pass over consecutive elements.
  std::vector<std::uint32_t> reversed_steps() const;

 private:
  Index dimensions_;
  std::vector<std::uint32_t> numbers_;
};

}  // namespace gsim
