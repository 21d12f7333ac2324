#pragma once
// Sobol points and their Owen scrambling, for kernels. Points are in natural order (not in
// Gray-code order): the first 2^m points, and every aligned block of 2^m, are those of the
// published sequence.
//
// Coordinates are kept with reversed bits (the most significant binary digit in bit 0) until the
// end, because scrambling proceeds from the most significant digit down and multiplication carries
// upwards. Direction numbers have the same form: SobolDirections::reversed().

#include <cstdint>

#include "gsim/math/pack.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/purposes.hpp"
#include "gsim/random/stream.hpp"

GSIM_TARGET_BEGIN

/// The reversed coordinate of point `index` < 2^32 in the dimension whose 32 reversed direction
/// numbers are `directions`: the exclusive or of those that the index's bits select (Joe and Kuo
/// 2008, eq. 4).
GSIM_HD std::uint32_t sobol_reversed(std::uint32_t index, const std::uint32_t* directions) {
  std::uint32_t x = 0;
  for (; index != 0; index >>= 1, ++directions) x ^= *directions & (0u - (index & 1u));
  return x;
}

/// The reversed coordinates of points 0, 1, … in the lanes. Those of first, first + 1, …, with
/// `first` a multiple of the number of lanes, are sobol_lanes ^ sobol_reversed(first).
template <class Word>
GSIM_HD Word sobol_lanes(const std::uint32_t* directions) {
  const Word lane = lane_index<Word>();
  Word x(0u);
  for (int bit = 0; 1 << bit < lanes_of<Word>; ++bit)
    x = x ^ (Word(directions[bit]) & (Word(0u) - ((lane >> bit) & Word(1u))));
  return x;
}

/// The 64 random bits that determine one scrambling of one dimension.
struct ScrambleSeed {
  std::uint32_t add = 0, multiply = 0;
};

/// The seed of `dimension` in `replicate`, from the stream of purpose pricing_scramble (or a
/// plugin's own): entity = replicate, step = dimension, words 0 and 1.
GSIM_HD ScrambleSeed scramble_seed(PhiloxKey key, std::uint64_t replicate,
                                   std::uint64_t dimension) {
  const auto w = philox_block(key, replicate, dimension, 0);
  return {static_cast<std::uint32_t>(w.x0), static_cast<std::uint32_t>(w.x1)};
}

/// A nested uniform (Owen 1995) scrambling by hashing, of a reversed coordinate: every digit is
/// flipped or not by a hash of the digits before it. The form is that of Laine and Karras (2011,
/// section 3.1) and Burley, "Practical hash-based Owen scrambling" (JCGT 9(4), 2020): only
/// operations that carry towards higher bits. The multipliers are Vegdahl's ("Building a better LK
/// hash", 2021); the multiplication by a random odd number takes the second word of the seed. The
/// first constants of Laine and Karras flip nearby digits together and give variances off by 30 to
/// 75 % in one dimension; with these constants the flips pass tests of independence
/// (tests/unit/random/sobol.cpp).
template <class Word>
GSIM_HD Word owen_scramble_reversed(Word x, ScrambleSeed seed) {
  x = x ^ (x * Word(0x3d20adeau));
  x = x + Word(seed.add);
  x = x * Word(seed.multiply | 1u);
  x = x ^ (x * Word(0x05526c56u));
  return x ^ (x * Word(0x53a22864u));
}

/// The bits of every lane in reverse order.
template <class Word>
GSIM_HD Word reverse_bits(Word x) {
#if defined(__CUDA_ARCH__)
  return __brev(x);
#else
  x = ((x >> 1) & Word(0x55555555u)) | ((x & Word(0x55555555u)) << 1);
  x = ((x >> 2) & Word(0x33333333u)) | ((x & Word(0x33333333u)) << 2);
  x = ((x >> 4) & Word(0x0f0f0f0fu)) | ((x & Word(0x0f0f0f0fu)) << 4);
  x = ((x >> 8) & Word(0x00ff00ffu)) | ((x & Word(0x00ff00ffu)) << 8);
  return (x >> 16) | (x << 16);
#endif
}

/// Converts a coordinate x (most significant digit in bit 31) to (0, 1): (x + 1/2) / 2^32 in
/// double, exact; (floor(x / 2^9) + 1/2) / 2^23 in float, exact.
template <class T, class Word>
GSIM_HD rebind<Word, T> sobol_unit(Word x) {
  if constexpr (sizeof(T) == 8) {
    using Bits = rebind<Word, std::uint64_t>;
    const Bits one_to_two = (convert<std::uint64_t>(x) << 20) | Bits(0x3ff0000000080000u);
    return bit_cast_to<double>(one_to_two) - rebind<Word, double>(1.0);
  } else {
    const Word one_to_two = (x >> 9) | Word(0x3f800000u);
    return bit_cast_to<float>(one_to_two) - rebind<Word, float>(0x1p0f - 0x1p-24f);
  }
}

/// The scrambled coordinate in (0, 1) from a reversed one, for kernels.
template <class T, class Word>
GSIM_HD rebind<Word, T> scrambled_unit(Word reversed, ScrambleSeed seed) {
  return sobol_unit<T>(reverse_bits(owen_scramble_reversed(reversed, seed)));
}

GSIM_TARGET_END
