// A spin flips where a uniform number u is below its probability p. Both are compared digit by
// digit, beginning with the highest binary digit, for 64 spins at once: a random word holds one
// digit of 64 numbers u. Most comparisons are decided after a few digits, and then no further words
// are drawn. Whether to stop is decided for a pack of words together, which changes no result
// because random words are addressed. (Bits of one random number for several sites: as in
// multi-spin coding, Jacobs and Rebbi 1981.)

#include <gsim/exec/exact_reduce.hpp>
#include <gsim/math/pack.hpp>

#include "lattice_kernels.hpp"

GSIM_TARGET_BEGIN
namespace ising_kernels {

using ::ising::MeasureArgs;
using ::ising::RandomArgs;
using ::ising::SpinsArgs;
using ::ising::UpdateArgs;
using ::ising::Words;
using Word = std::uint64_t;

/// A line of words along x.
struct Line {
  Index row, y, z;  ///< row of its first word, and its lattice coordinates
};
GSIM_HD Line line_of(const Words& words, Index n) {
  const Index y = n % words.size[1], z = n / words.size[1];
  return {words.first + y * words.stride_y + z * words.stride_z, words.origin[1] + y,
          words.origin[2] + z};
}

/// Masks of the spins that are aligned with (equal to) a neighbour, one mask for each of the 2 d
/// neighbours in d dimensions, for the words from `row` on.
template <class R>
struct Aligned {
  R bits[6];
};
template <class R>
GSIM_HD Aligned<R> aligned(const Words& words, const Word* own, const Word* other, Index row,
                           bool is_odd) {
  const R s = load<R>(own + row), same = load<R>(other + row);
  // Site k of a colour on a line has x = 2 k, or x = 2 k + 1 if `is_odd`. Its neighbours along x
  // are the sites of the other colour with the numbers k, and k - 1 or, if `is_odd`, k + 1.
  const R other_neighbour = is_odd ? (same >> 1) | (load<R>(other + row + 1) << 63)
                                   : (same << 1) | (load<R>(other + row - 1) >> 63);
  Aligned<R> a;
  a.bits[0] = ~(s ^ same);
  a.bits[1] = ~(s ^ other_neighbour);
  a.bits[2] = ~(s ^ load<R>(other + row - words.stride_y));
  a.bits[3] = ~(s ^ load<R>(other + row + words.stride_y));
  if (words.dimensions == 3) {
    a.bits[4] = ~(s ^ load<R>(other + row - words.stride_z));
    a.bits[5] = ~(s ^ load<R>(other + row + words.stride_z));
  }
  return a;
}

/// Masks of the spins with d + 1, d + 2 and d + 3 aligned neighbours in d dimensions, whose flip
/// raises the energy.
template <class R>
struct CostlySpins {
  R masks[3];
};
template <class R>
GSIM_HD CostlySpins<R> costly_spins(const Aligned<R>& a, int dimensions) {
  const auto& b = a.bits;
  if (dimensions == 2) {
    const R one = b[0] ^ b[1], two = b[0] & b[1], three = b[2] ^ b[3], four = b[2] & b[3];
    return {{(two & three) | (four & one), two & four, R(0)}};
  }
  // Adds three bits each into a low and a high digit; then adds both sums.
  const R low1 = b[0] ^ b[1] ^ b[2], high1 = (b[0] & b[1]) | (b[2] & (b[0] ^ b[1]));
  const R low2 = b[3] ^ b[4] ^ b[5], high2 = (b[3] & b[4]) | (b[5] & (b[3] ^ b[4]));
  const R ones = low1 ^ low2, carry = low1 & low2;
  const R twos = high1 ^ high2 ^ carry;
  const R fours = (high1 & high2) | (carry & (high1 ^ high2));
  return {{fours & ~(twos | ones), fours & ones & ~twos, fours & twos}};
}

struct Update {
  UpdateArgs args;

  GSIM_HD bool is_odd(const Line& line) const { return ((line.y + line.z + args.colour) & 1) != 0; }
  /// Number of word x of a line in the whole lattice, in the addresses of its random numbers.
  GSIM_HD Word entity(const Line& line, Index x) const {
    return static_cast<Word>((line.z * args.lattice_words[1] + line.y) * args.lattice_words[0] +
                             args.words.origin[0] + x);
  }

  /// Mask of the spins that flip.
  template <class R>
  GSIM_HD R flips(const Aligned<R>& a, R entities) const {
    const CostlySpins<R> costly = costly_spins(a, args.words.dimensions);
    // Spins whose u and p agree in all digits so far.
    R undecided = costly.masks[0] | costly.masks[1] | costly.masks[2];
    R flip = ~undecided;
    // p has 32 binary digits, and a block of random words holds two digits of u.
    for (std::uint32_t block = 0; block < 16; ++block) {
      if (!any(undecided != R(0))) break;
      const PhiloxWords<R> w = philox_block(args.key, entities, args.step, block);
      const R digits[2] = {join_halves(w.x1, w.x0 << 32), join_halves(w.x3, w.x2 << 32)};
      for (int d = 0; d < 2; ++d) {
        const int digit = 31 - 2 * static_cast<int>(block) - d;
        R digit_of_p = R(0);
        for (int k = 0; k < 3; ++k)
          if ((args.probability[k] >> digit & 1u) != 0) digit_of_p = digit_of_p | costly.masks[k];
        flip = flip | (undecided & ~digits[d] & digit_of_p);
        undecided = undecided & ~(digits[d] ^ digit_of_p);
      }
    }
    return flip;
  }

  /// Updates adjacent words of a line.
  template <class R>
  GSIM_HD void update_words(const Line& line, Index x) const {
    const Index row = line.row + x;
    const Aligned<R> a = aligned<R>(args.words, args.own, args.other, row, is_odd(line));
    const R flip = flips(a, R(entity(line, x)) + lane_index<R>());
    store(args.own + row, load<R>(args.own + row) ^ flip);
  }
#if defined(__CUDACC__)
  GSIM_HD void operator()(Index i) const {
    update_words<Word>(line_of(args.words, i / args.words.size[0]), i % args.words.size[0]);
  }
#else
  /// Updates word n of the block and the following ones, across lines that may be shorter than a
  /// register.
  template <class R>
  GSIM_HD void update_words_of_short_lines(Index n) const {
    Word bits[6][lanes_of<R>] = {}, entities[lanes_of<R>];
    Index rows[lanes_of<R>];
    for (int l = 0; l < lanes_of<R>; ++l) {
      const Line line = line_of(args.words, (n + l) / args.words.size[0]);
      const Index x = (n + l) % args.words.size[0];
      rows[l] = line.row + x;
      entities[l] = entity(line, x);
      const Aligned<Word> single =
          aligned<Word>(args.words, args.own, args.other, rows[l], is_odd(line));
      for (int k = 0; k < 2 * args.words.dimensions; ++k) bits[k][l] = single.bits[k];
    }
    Aligned<R> a;
    for (int k = 0; k < 6; ++k) a.bits[k] = load<R>(bits[k]);
    Word flip[lanes_of<R>];
    store(flip, flips(a, load<R>(entities)));
    for (int l = 0; l < lanes_of<R>; ++l) args.own[rows[l]] ^= flip[l];
  }

  /// Updates as many lines as there are lanes.
  GSIM_HD void operator()(Index i) const {
    using R = packed<Word>;
    constexpr Index lanes = lanes_of<R>;
    const Index size = args.words.size[0], lines = args.words.size[1] * args.words.size[2];
    const Index last = (i + 1) * lanes < lines ? (i + 1) * lanes : lines;
    const Index packed_words = size / lanes * lanes;  // words of a line in full packs
    for (Index n = i * lanes; n < last && packed_words > 0; ++n)
      for (Index x = 0; x < packed_words; x += lanes) update_words<R>(line_of(args.words, n), x);
    if (packed_words == size) return;
    if (packed_words == 0) {
      Index n = i * lanes * size;
      for (; n + lanes <= last * size; n += lanes) update_words_of_short_lines<R>(n);
      for (; n < last * size; ++n) update_words<Word>(line_of(args.words, n / size), n % size);
      return;
    }
    for (Index n = i * lanes; n < last; ++n)
      for (Index x = packed_words; x < size; ++x) update_words<Word>(line_of(args.words, n), x);
  }
#endif
};

GSIM_HD int count_bits(Word w) {
#if defined(__CUDA_ARCH__)
  return __popcll(w);
#else
  return __builtin_popcountll(w);
#endif
}

/// For word i: the number of aligned pairs of neighbours, and the number of spins that are up.
struct Measure {
  MeasureArgs args;
  GSIM_HD void operator()(Index i, std::int64_t* term) const {
    const Line line = line_of(args.words, i / args.words.size[0]);
    const Index row = line.row + i % args.words.size[0];
    const Aligned<Word> a =
        aligned<Word>(args.words, args.own, args.other, row, ((line.y + line.z) & 1) != 0);
    term[0] = 0;
    for (int k = 0; k < 2 * args.words.dimensions; ++k) term[0] += count_bits(a.bits[k]);
    term[1] = count_bits(args.own[row]) + count_bits(args.other[row]);
  }
};

#if !defined(__CUDACC__)
/// The sums of Measure for a whole line of words, on hosts.
struct MeasureLine : Measure {
  void add(Index n, WideInteger* sum) const {
    const Line line = line_of(args.words, n);
    std::int64_t equal = 0, up = 0;
    for (Index row = line.row; row < line.row + args.words.size[0]; ++row) {
      const Aligned<Word> a =
          aligned<Word>(args.words, args.own, args.other, row, ((line.y + line.z) & 1) != 0);
      for (int k = 0; k < 2 * args.words.dimensions; ++k) equal += count_bits(a.bits[k]);
      up += count_bits(args.own[row]) + count_bits(args.other[row]);
    }
    sum[0] += equal;
    sum[1] += up;
  }
};
#endif

/// Draws the spins of a word.
struct Random {
  RandomArgs args;
  GSIM_HD void operator()(Index i) const {
    const Line line = line_of(args.words, i / args.words.size[0]);
    const Index x = i % args.words.size[0];
    const auto entity =
        static_cast<Word>((line.z * args.lattice_words[1] + line.y) * args.lattice_words[0] +
                          args.words.origin[0] + x);
    const PhiloxWords<Word> w = philox_block(args.key, entity, 0, 0);
    args.own[line.row + x] =
        args.colour == 0 ? join_halves(w.x1, w.x0 << 32) : join_halves(w.x3, w.x2 << 32);
  }
};

/// Site x of a line is bit (x / 2) mod 64 of word x / 128 of its colour.
struct Spins {
  SpinsArgs args;
  GSIM_HD void operator()(Index i) const {
    const Index sites = 128 * args.block.size[0], x = i % sites;
    const Line line = line_of(args.block, i / sites);
    const Word word = args.words[(x + line.y + line.z) & 1][line.row + x / 128];
    const Index y = line.y - args.block.origin[1], z = line.z - args.block.origin[2];
    args.spins[args.first + x + y * args.stride_y + z * args.stride_z] =
        (word >> (x / 2 % 64) & 1u) != 0 ? 1 : -1;
  }
};

}  // namespace ising_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(ising_update, ::ising::UpdateArgs) {
  const auto& n = args.words.size;
#if defined(__CUDACC__)
  launch(executor, "ising update", n[0] * n[1] * n[2], ising_kernels::Update{args});
#else
  constexpr Index lines = lanes_of<packed<std::uint64_t> >;
  launch(executor, "ising update", (n[1] * n[2] + lines - 1) / lines, ising_kernels::Update{args});
#endif
}

GSIM_DEFINE_LAUNCHER(ising_measure, ::ising::MeasureArgs) {
  const auto& n = args.words.size;
#if defined(__CUDACC__)
  exact_reduce<2>(executor, "ising sums", n[0] * n[1] * n[2], ising_kernels::Measure{args},
                  args.sums);
#else
  exact_reduce<2>(executor, "ising sums", n[1] * n[2], ising_kernels::MeasureLine{{args}},
                  args.sums, 64);
#endif
}

GSIM_DEFINE_LAUNCHER(ising_random, ::ising::RandomArgs) {
  const auto& n = args.words.size;
  launch(executor, "ising start", n[0] * n[1] * n[2], ising_kernels::Random{args});
}

GSIM_DEFINE_LAUNCHER(ising_spins, ::ising::SpinsArgs) {
  const auto& n = args.block.size;
  launch(executor, "ising spins", 128 * n[0] * n[1] * n[2], ising_kernels::Spins{args});
}
