#pragma once
// 64-bit digests of results, states and inputs: XXH3 (Collet, xxHash 0.8) over bytes in
// little-endian order, so that the same bits have the same digest on every machine.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "gsim/core/types.hpp"

namespace gsim {

/// A streaming digest: adding bytes in several pieces gives the same value as adding them at once.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(Digest&&) noexcept;
  Digest& operator=(Digest&&) noexcept;

  /// Adds raw bytes unchanged.
  Digest& add_bytes(std::span<const std::byte> data);
  /// Adds one number in little-endian order. Floating-point values enter by their bits; all NaNs
  /// enter as the same NaN.
  template <class T>
  requires std::is_arithmetic_v<T> Digest& add(T value) {
    return add_numbers(&value, 1, sizeof(T), std::is_floating_point_v<T>);
  }
  /// Adds numbers without their count; if the count can vary, the caller must add it.
  template <class T>
  requires std::is_arithmetic_v<T> Digest& add(std::span<const T> values) {
    return add_numbers(values.data(), values.size(), sizeof(T), std::is_floating_point_v<T>);
  }
  /// Adds a string and its length, so that ("ab", "c") and ("a", "bc") differ.
  Digest& add(std::string_view text);
  Digest& add(const char* text) { return add(std::string_view(text)); }

  /// The digest of all data added so far.
  std::uint64_t value() const;

 private:
  Digest& add_numbers(const void* data, std::size_t count, std::size_t size, bool floating);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The first `digits` (1 to 16) hexadecimal digits of a digest, for messages: "5f1c9e0a77b2".
std::string hex(std::uint64_t digest, int digits = 16);

}  // namespace gsim
