#pragma once
// Inputs for the tests of elementary functions: a small generator with a fixed seed (splitmix64,
// Steele, Lea and Flood 2014) and samples uniform in value or in bit pattern.

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gsim::test {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// `count` numbers of [low, high]: half uniform in value, half uniform in bit pattern, so that all
/// magnitudes occur; and both ends with their neighbours.
template <class T>
std::vector<T> inputs(T low, T high, int count, std::uint64_t seed) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  // Bit patterns mapped to integers that have the order of the numbers, and back.
  const auto ordered_bits = [](T x) {
    const Bits b = std::bit_cast<Bits>(x), sign = Bits(1) << (sizeof(T) * 8 - 1);
    return (b & sign) ? Bits(~b) : Bits(b | sign);
  };
  const auto from_ordered_bits = [](Bits r) {
    const Bits sign = Bits(1) << (sizeof(T) * 8 - 1);
    return std::bit_cast<T>((r & sign) ? Bits(r & ~sign) : Bits(~r));
  };
  SplitMix64 stream(seed);
  std::vector<T> result;
  for (int i = 0; i < count / 2; ++i) {
    result.push_back(static_cast<T>(low + (high - low) * stream.uniform()));
    const Bits span = ordered_bits(high) - ordered_bits(low);
    const Bits offset = span == Bits(-1)
                            ? static_cast<Bits>(stream.next())
                            : static_cast<Bits>(stream.next() % (std::uint64_t(span) + 1));
    result.push_back(from_ordered_bits(static_cast<Bits>(ordered_bits(low) + offset)));
  }
  for (Bits i = 0; i < 4; ++i) {
    result.push_back(from_ordered_bits(static_cast<Bits>(ordered_bits(low) + i)));
    result.push_back(from_ordered_bits(static_cast<Bits>(ordered_bits(high) - i)));
  }
  return result;
}

}  // namespace gsim::test
