#pragma once
// Large ranges of equal bytes that take no memory until they are changed.

#include <cstddef>
#include <cstdint>

namespace ptxemu {

/// Sets all bytes of [start, start + size), private memory, to `value`: whole pages of a large
/// range become copies of a few common pages, which the operating system makes when they are
/// written.
void fill_with_pattern(std::uint8_t* start, std::size_t size, std::uint8_t value);

/// As fill_with_pattern() with 0, for anonymous private memory: whole pages of a large range are
/// given back to the operating system.
void fill_with_zeros(std::byte* start, std::size_t size);

}  // namespace ptxemu
