#pragma once
// Numbers whose square roots are near to the middle between two doubles, where an inaccurate result
// is rounded wrongly.
//
// Twice such a middle, in units in the last place of the root, is an odd integer N of 54 bits. Its
// square is near A 2^54 or A 2^55, for the fraction A (an integer of 53 bits) of an argument with
// an even or odd exponent. If the difference is r, the root is r / (4 N) units from the middle. So
// N solves N^2 = -r modulo 2^54 or 2^55 (Cornea, Harrison and Tang, "Scientific Computing on
// Itanium-based Systems", 2002), which has four solutions if -r = 1 modulo 8, and otherwise none.

#include <cmath>
#include <cstdint>
#include <vector>

namespace gsim::test {

/// A solution of N^2 = c modulo 2^bits, for c = 1 modulo 8. The others are -N, and both plus
/// 2^(bits - 1).
inline std::uint64_t root_modulo(std::uint64_t c, int bits) {
  std::uint64_t n = 1;
  for (int i = 3; i < bits; ++i)
    if (((n * n - c) >> i & 1) != 0) n += std::uint64_t{1} << (i - 1);
  return n & ((std::uint64_t{1} << bits) - 1);
}

/// All numbers in [1, 4) for which |r| < most. Others are these times powers of 4.
inline std::vector<double> hard_roots(std::int64_t most) {
  using Wide = unsigned __int128;
  std::vector<double> arguments;
  for (const int odd : {0, 1}) {
    const int bits = 54 + odd;
    const std::uint64_t modulus = std::uint64_t{1} << bits, half = modulus / 2;
    for (std::int64_t r = 1 - most; r < most; ++r) {
      if ((-r & 7) != 1) continue;
      const std::uint64_t n = root_modulo(static_cast<std::uint64_t>(-r), bits);
      for (const std::uint64_t solution :
           {n, modulus - n, (n + half) % modulus, (modulus - n + half) % modulus}) {
        const Wide square = Wide{solution} * solution + static_cast<Wide>(r);
        const auto fraction = static_cast<std::uint64_t>(square >> bits);
        if (Wide{fraction} << bits == square && fraction >> 52 == 1)
          arguments.push_back(std::ldexp(static_cast<double>(fraction), odd - 52));
      }
    }
  }
  return arguments;
}

}  // namespace gsim::test
