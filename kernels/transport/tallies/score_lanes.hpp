#pragma once
// Scores of several tracks in fixed point, in the lanes of packs, with the bits of
// to_fixed_point().

#include "gsim/math/elementary.hpp"
#include "gsim/math/pack.hpp"
#include "kernels/transport/tallies/sink.hpp"

#if !defined(__CUDACC__)

GSIM_TARGET_BEGIN
namespace transport_kernels {

/// The integers below 2^64 in the lanes of v, whose fractions are discarded; v >= 0.
template <class R>
GSIM_HD rebind<R, std::uint64_t> words_of(R v) {
#if defined(GSIM_AVX512)
  return rebind<R, std::uint64_t>{
      (decltype(rebind<R, std::uint64_t>::v))_mm512_cvttpd_epu64((__m512d)v.v)};
#else
  // Each half of 32 bits is the lower half of a double's fraction after the addition of 2^52.
  using Words = rebind<R, std::uint64_t>;
  const R upper = floor(v * 0x1p-32), lower = floor(v - upper * 0x1p32);
  return (bit_cast_to<std::uint64_t>(upper + R(0x1p52)) << 32) |
         (bit_cast_to<std::uint64_t>(lower + R(0x1p52)) & Words(std::uint64_t{0xffffffff}));
#endif
}

// A benchmark replaces these sums by floating-point ones
// (validation/performance/transport_sums.cu).
#if !defined(GSIM_TRANSPORT_BENCHMARK_SUMS)
/// The contributions of the pieces of a track in each lane: the differences of the scores at their
/// ends, in fixed point.
template <class R>
class PieceScores {
 public:
  /// `score`: at the start of the tracks, from 0 to below transport::largest_score.
  explicit GSIM_HD PieceScores(R score) : before_(score) {}
  /// Ends a piece in all lanes; `score` is the score there.
  GSIM_HD void end_pieces(R score) {
    const Halves after(score);
    const Words borrowed = select(after.low < before_.low, Words(1), Words(0));
    store(low_, after.low - before_.low);
    store(high_, after.high - before_.high - borrowed);
    before_ = after;
  }
  /// The contribution of the piece that has ended in a lane.
  GSIM_HD FixedPointScore contribution(int lane) const {
    return integer_of(transport::TallySum{low_[lane], high_[lane]});
  }

 private:
  using Words = rebind<R, std::uint64_t>;

  /// The integer of 128 bits of a score, in halves.
  struct Halves {
    Words low, high;
    explicit GSIM_HD Halves(R score) {
      static_assert(transport::score_exponent == -84);
      const R scaled = score * 0x1p20;  // in units of the upper half
      const R whole = floor(scaled);
      high = words_of(whole);
      low = words_of((scaled - whole) * 0x1p64);  // exact: the difference has at most 53 bits
    }
  };

  Halves before_;
  std::uint64_t low_[lanes_of<R>], high_[lanes_of<R>];
};
#endif

}  // namespace transport_kernels
GSIM_TARGET_END

#endif
