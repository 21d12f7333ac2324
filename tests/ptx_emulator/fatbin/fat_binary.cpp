#include "fatbin/fat_binary.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

#include <dlfcn.h>

#include "reader/error.hpp"

namespace ptxemu {
namespace {

constexpr std::uint32_t wrapper_magic = 0x466243b1, container_magic = 0xba55ed50;
constexpr std::uint16_t ptx_kind = 1, cubin_kind = 2;
constexpr std::uint64_t lz4_flag = 0x2000, zstd_flag = 0x8000;

struct Wrapper {
  std::uint32_t magic, version;
  const std::byte* data;
  const void* unused;
};
struct Container {
  std::uint32_t magic;
  std::uint16_t version, header_size;
  std::uint64_t size;
};

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Header of one entry at `at`. `text_size` is the size after decompression.
struct Entry {
  explicit Entry(const std::byte* at)
      : kind(read<std::uint16_t>(at)),
        header_size(read<std::uint32_t>(at + 4)),
        size(read<std::uint64_t>(at + 8)),
        compressed_size(read<std::uint32_t>(at + 16)),
        architecture(read<std::uint32_t>(at + 28)),
        flags(read<std::uint64_t>(at + 40)),
        text_size(read<std::uint64_t>(at + 56)) {}
  std::uint16_t kind;
  std::uint32_t header_size;
  std::uint64_t size;
  std::uint32_t compressed_size, architecture;
  std::uint64_t flags, text_size;
};

/// Decompresses one LZ4 block.
std::string decompress_lz4(const std::byte* from, std::size_t size, std::size_t text_size) {
  std::string text;
  text.reserve(text_size);
  std::size_t at = 0;
  const auto byte = [&] {
    if (at >= size) throw PtxError("the LZ4 data of a fat binary end too early");
    return static_cast<std::size_t>(from[at++]);
  };
  const auto length = [&](std::size_t nibble) {
    if (nibble != 15) return nibble;
    for (std::size_t more = 255; more == 255;) nibble += more = byte();
    return nibble;
  };
  while (at < size) {
    const std::size_t token = byte(), literals = length(token >> 4);
    if (literals > size - at) throw PtxError("the LZ4 data of a fat binary end too early");
    text.append(reinterpret_cast<const char*>(from + at), literals);
    at += literals;
    if (at >= size) break;
    std::size_t distance = byte();
    distance |= byte() << 8;
    std::size_t matched = length(token & 15) + 4;
    if (distance == 0 || distance > text.size())
      throw PtxError("the LZ4 data of a fat binary refer to a position before their start");
    for (; matched != 0; --matched) text.push_back(text[text.size() - distance]);
  }
  return text;
}

/// nvcc 13 compresses with zstd. The library is loaded on demand.
std::string decompress_zstd(const std::byte* from, std::size_t size, std::size_t text_size) {
  using Decompress = std::size_t (*)(void*, std::size_t, const void*, std::size_t);
  using IsError = unsigned (*)(std::size_t);
  void* const library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    throw PtxError(
        "the PTX is compressed by zstd and libzstd.so.1 is not installed: install it, or "
        "compile with nvcc --no-compress");
  const auto decompress = reinterpret_cast<Decompress>(dlsym(library, "ZSTD_decompress"));
  const auto is_error = reinterpret_cast<IsError>(dlsym(library, "ZSTD_isError"));
  if (decompress == nullptr || is_error == nullptr) throw PtxError("libzstd.so.1 lacks functions");
  std::string text(text_size, '\0');
  const std::size_t written = decompress(text.data(), text.size(), from, size);
  if (is_error(written) != 0) throw PtxError("the zstd data of a fat binary are damaged");
  text.resize(written);
  return text;
}

/// The decompressed data of an entry.
std::string data_of(const Entry& entry, const std::byte* data) {
  if ((entry.flags & zstd_flag) != 0)
    return decompress_zstd(data, entry.compressed_size, entry.text_size);
  if ((entry.flags & lz4_flag) != 0)
    return decompress_lz4(data, entry.compressed_size, entry.text_size);
  return {reinterpret_cast<const char*>(data), entry.size};
}

/// Calls f(entry, data) for each entry of the fat binary.
template <class F>
void each_entry(const void* wrapper, const F& f) {
  const auto head = read<Wrapper>(static_cast<const std::byte*>(wrapper));
  if (head.magic != wrapper_magic) throw PtxError("the fat binary has an unknown wrapper");
  const auto container = read<Container>(head.data);
  if (container.magic != container_magic) throw PtxError("the fat binary has an unknown container");
  const std::byte* at = head.data + container.header_size;
  const std::byte* const end = at + container.size;
  while (at < end) {
    const Entry entry(at);
    f(entry, at + entry.header_size);
    at += entry.header_size + entry.size;
  }
}

}  // namespace

std::string extract_ptx(const void* wrapper, int capability) {
  std::string text;
  std::uint32_t best_architecture = 0;
  each_entry(wrapper, [&](const Entry& entry, const std::byte* data) {
    if (entry.kind != ptx_kind || entry.architecture < best_architecture ||
        entry.architecture > static_cast<std::uint32_t>(capability))
      return;
    text = data_of(entry, data);
    best_architecture = entry.architecture;
  });
  return text.substr(0, text.find('\0'));
}

std::string extract_cubin(const void* wrapper) {
  std::string cubin;
  each_entry(wrapper, [&](const Entry& entry, const std::byte* data) {
    if (entry.kind == cubin_kind && entry.architecture == 90) cubin = data_of(entry, data);
  });
  return cubin;
}

}  // namespace ptxemu
