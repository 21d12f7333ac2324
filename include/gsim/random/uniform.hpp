#pragma once
// Uniform numbers in the open interval (0, 1) from random words, by exact operations only: the same
// bits on every machine, never 0 or 1, and 1 - u is a possible value, too.
//
// The random bits become the fraction of a number in [1, 2); one exact subtraction removes 1 and
// adds half a unit, without an integer conversion.

#include <cstdint>

#include "gsim/math/pack.hpp"
#include "gsim/random/philox.hpp"

GSIM_TARGET_BEGIN

/// (floor((2^32 high + low) / 2^12) + 1/2) / 2^52, in double: an odd multiple of 2^-53. `high` and
/// `low` are words in the low halves of 64-bit lanes.
template <class L>
GSIM_HD rebind<L, double> unit_double(L high, L low) {
  const L bits = join_halves(low, high << 32);
  const L one_to_two = (bits >> 12) | L(0x3ff0000000000000u);
  return bit_cast_to<double>(one_to_two) - rebind<L, double>(0x1p0 - 0x1p-53);
}

/// (floor(word / 2^9) + 1/2) / 2^23, in float: an odd multiple of 2^-24. `word` is in the low half
/// of a 64-bit lane.
template <class L>
GSIM_HD rebind<L, float> unit_float(L word) {
  using Bits = rebind<L, std::uint32_t>;
  const Bits one_to_two = (low_word(word) >> 9) | Bits(0x3f800000u);
  return bit_cast_to<float>(one_to_two) - rebind<L, float>(0x1p0f - 0x1p-24f);
}

/// The type of `n` uniforms or normals made from one block.
template <class R, int n>
struct Draws {
  R value[n];
  GSIM_HD R operator[](int i) const { return value[i]; }
};
/// Number of uniforms of real type T from one Philox block: 2 doubles or 4 floats.
template <class T>
inline constexpr int uniforms_per_block = sizeof(T) == 8 ? 2 : 4;

/// The uniforms of one block: doubles from words (0, 1) and (2, 3), the even word the high one;
/// floats one from each word.
template <class T, class L>
GSIM_HD Draws<rebind<L, T>, uniforms_per_block<T>> uniforms(const PhiloxWords<L>& w) {
  if constexpr (sizeof(T) == 8)
    return {{unit_double(w.x0, w.x1), unit_double(w.x2, w.x3)}};
  else
    return {{unit_float(w.x0), unit_float(w.x1), unit_float(w.x2), unit_float(w.x3)}};
}

GSIM_TARGET_END
