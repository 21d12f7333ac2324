#include "gsim/core/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace gsim {

struct Digest::Impl {
  XXH3_state_t* state = XXH3_createState();
  Impl() {
    if (state == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(state);
  }
  ~Impl() { XXH3_freeState(state); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

Digest::Digest() : impl_(std::make_unique<Impl>()) {}
Digest::~Digest() = default;
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;

Digest& Digest::add_bytes(std::span<const std::byte> data) {
  if (!data.empty()) XXH3_64bits_update(impl_->state, data.data(), data.size());
  return *this;
}

Digest& Digest::add(std::string_view text) {
  add(static_cast<std::uint64_t>(text.size()));
  return add_bytes(std::as_bytes(std::span(text)));
}

namespace {

template <class Float>
bool is_nan_at(const std::byte* p) {
  Float v;
  std::memcpy(&v, p, sizeof v);
  return v != v;
}

template <class Float>
void put_canonical_nan(std::byte* p) {
  const Float nan = std::numeric_limits<Float>::quiet_NaN();
  std::memcpy(p, &nan, sizeof nan);
}

/// Copies one number from `from` to `to` in little-endian order, with all NaNs made equal.
void copy_canonical(const std::byte* from, std::byte* to, std::size_t size, bool floating) {
  std::memcpy(to, from, size);
  if (floating && size == sizeof(double) && is_nan_at<double>(to)) put_canonical_nan<double>(to);
  if (floating && size == sizeof(float) && is_nan_at<float>(to)) put_canonical_nan<float>(to);
  if constexpr (std::endian::native == std::endian::big) std::reverse(to, to + size);
}

}  // namespace

Digest& Digest::add_numbers(const void* data, std::size_t count, std::size_t size, bool floating) {
  const auto* from = static_cast<const std::byte*>(data);
  if (!floating && (size == 1 || std::endian::native == std::endian::little)) {
    return add_bytes({from, count * size});
  }
  std::array<std::byte, 4096> chunk;
  const std::size_t per_chunk = chunk.size() / size;
  for (std::size_t first = 0; first < count; first += per_chunk) {
    const std::size_t n = std::min(per_chunk, count - first);
    for (std::size_t i = 0; i < n; ++i) {
      copy_canonical(from + (first + i) * size, chunk.data() + i * size, size, floating);
    }
    add_bytes({chunk.data(), n * size});
  }
  return *this;
}

std::uint64_t Digest::value() const { return XXH3_64bits_digest(impl_->state); }

std::string hex(std::uint64_t digest, int digits) {
  return fmt::format("{:016x}", digest).substr(0, static_cast<std::size_t>(digits));
}

}  // namespace gsim
