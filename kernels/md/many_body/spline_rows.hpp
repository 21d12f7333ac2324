#pragma once
// Lookups of cubic polynomials in tables whose rows hold all coefficients of an interval.

#include <utility>

#include "gsim/md/neighbour_lists/cluster_lanes.hpp"

#if !defined(__CUDACC__)
GSIM_TARGET_BEGIN
namespace md_kernels {

/// The length of a row of `Cubics` cubics: a power of two.
template <int Cubics>
inline constexpr int spline_row = Cubics <= 1   ? 4
                                  : Cubics <= 2 ? 8
                                                : 16;

#if defined(__x86_64__)
/// A register of blocks of 16 bytes, the k-th of which is loaded from table[rows[k stride]].
template <class T, int W>
GSIM_HD vec::Vec<T, W> load_blocks(const T* table, const std::int32_t* rows, int stride) {
  const auto block = [&](int k) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(table + rows[k * stride]));
  };
  if constexpr (sizeof(T) * W == 16) {
    return (vec::Vec<T, W>)block(0);
#if defined(GSIM_AVX2)
  } else if constexpr (sizeof(T) * W == 32) {
    return (vec::Vec<T, W>)_mm256_inserti128_si256(_mm256_castsi128_si256(block(0)), block(1), 1);
#endif
#if defined(GSIM_AVX512)
  } else {
    const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(block(0)), block(1), 1);
    const __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(block(2)), block(3), 1);
    return (vec::Vec<T, W>)_mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
#endif
  }
}

/// Interleaves the elements of the lower (upper) halves of the blocks of 16 bytes of a and b.
template <bool Upper, class V, std::size_t... I>
GSIM_HD V interleave_halves(V a, V b, std::index_sequence<I...>) {
  constexpr std::size_t lanes = sizeof...(I), per_block = 16 * lanes / sizeof(V);
  return __builtin_shufflevector(a, b,
                                 (I / per_block * per_block + (Upper ? per_block / 2 : 0) +
                                  I % per_block / 2 + (I % 2) * lanes)...);
}
template <bool Upper, class T, int W>
GSIM_HD vec::Vec<T, W> interleave(vec::Vec<T, W> a, vec::Vec<T, W> b) {
  return interleave_halves<Upper>(a, b, std::make_index_sequence<W>{});
}

/// c[k] = table[rows[lane] + k] for k = 0 … 3, by loads of whole blocks, which are then transposed.
template <int W>
GSIM_HD void load_four(const float* table, const std::int32_t* rows, Pack<float, W>* c) {
  using V = vec::Vec<float, W>;
  using D = vec::Vec<double, W / 2>;  // two floats in each lane
  V z[4];
  for (int g = 0; g < 4; ++g) z[g] = load_blocks<float, W>(table, rows + g, 4);
  const D a = (D)interleave<false, float, W>(z[0], z[1]);
  const D b = (D)interleave<false, float, W>(z[2], z[3]);
  const D e = (D)interleave<true, float, W>(z[0], z[1]);
  const D f = (D)interleave<true, float, W>(z[2], z[3]);
  c[0] = Pack<float, W>((V)interleave<false, double, W / 2>(a, b));
  c[1] = Pack<float, W>((V)interleave<true, double, W / 2>(a, b));
  c[2] = Pack<float, W>((V)interleave<false, double, W / 2>(e, f));
  c[3] = Pack<float, W>((V)interleave<true, double, W / 2>(e, f));
}
template <int W>
GSIM_HD void load_four(const double* table, const std::int32_t* rows, Pack<double, W>* c) {
  for (int h = 0; h < 4; h += 2) {
    const auto a = load_blocks<double, W>(table + h, rows, 2);
    const auto b = load_blocks<double, W>(table + h, rows + 1, 2);
    c[h] = Pack<double, W>(interleave<false, double, W>(a, b));
    c[h + 1] = Pack<double, W>(interleave<true, double, W>(a, b));
  }
}
#endif

/// Sets c[s] to the coefficients {c3, c2, c1, c0} of cubic s in the row of each lane.
template <int Cubics, class T, int W>
GSIM_HD void load_spline_rows(const T* table, Pack<std::int32_t, W> row,
                              Pack<T, W> (&c)[Cubics][4]) {
  const auto first = row * Pack<std::int32_t, W>(spline_row<Cubics>);
#if defined(__x86_64__)
  // A gather of one coefficient takes longer than the loads of four.
  if constexpr (Pack<T, W>::is_register) {
    alignas(64) std::int32_t rows[W];
    store(rows, first);
    asm("" : "+m"(rows));  // addresses are read from memory, not extracted from a register
    for (int s = 0; s < Cubics; ++s) load_four<W>(table + 4 * s, rows, c[s]);
    return;
  }
#endif
  for (int s = 0; s < Cubics; ++s)
    for (int k = 0; k < 4; ++k) c[s][k] = gather(table + 4 * s + k, first);
}

}  // namespace md_kernels
GSIM_TARGET_END
#endif
