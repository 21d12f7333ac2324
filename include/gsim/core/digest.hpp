#pragma once
// 64-bit digests of results, states and inputs: XXH3 (Collet, xxHash 0.8) over a canonical byte
// order (little endian), so that every machine gives the same number for the same bits.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gsim/core/types.hpp"

namespace gsim {

/// A streaming digest. Feeding bytes in several pieces gives the same value as feeding them at
/// once.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  /// Raw bytes, as they stand.
  Digest& bytes(std::span<const std::byte> data);
  /// One number, in little-endian order. Floating-point values count by their bits; every NaN
  /// counts as the same one.
  template <class T>
  requires std::is_arithmetic_v<T> Digest& add(T value) {
    return numbers(&value, 1, sizeof(T), std::is_floating_point_v<T>);
  }
  /// Numbers without their count; the count is the caller's to add where it can vary.
  template <class T>
  requires std::is_arithmetic_v<T> Digest& add(std::span<const T> values) {
    return numbers(values.data(), values.size(), sizeof(T), std::is_floating_point_v<T>);
  }
  /// A text and its length, so that ("ab", "c") and ("a", "bc") differ.
  Digest& add(std::string_view text);
  Digest& add(const char* text) { return add(std::string_view(text)); }

  /// The digest of everything added so far.
  std::uint64_t value() const;

 private:
  Digest& numbers(const void* data, std::size_t count, std::size_t size, bool floating);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// `digits` (1 … 16) leading hexadecimal digits, as printed to people: "5f1c9e0a77b2".
std::string hex(std::uint64_t digest, int digits = 16);

}  // namespace gsim
