#include "checkpoint_seal.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "block_digest.hpp"
#include "file_system.hpp"
#include "gsim/core/error.hpp"

namespace gsim::io {
namespace {

/// The last bytes of the file, after `extents` extents. Little-endian like all of the file.
struct Footer {
  std::array<char, 16> magic = {'g', 's', 'i', 'm', ' ', 'c', 'h', 'e',
                                'c', 'k', 'p', 'o', 'i', 'n', 't', '1'};
  Index hdf5_bytes = 0;
  Index extents = 0;
  std::uint64_t structure = 0;  ///< digest of HDF5's bytes outside the extents
  std::uint64_t seal = 0;       ///< digest of the extents and of this footer up to here
};
static_assert(sizeof(Footer) == 48 && sizeof(Extent) == 16);

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File open_file(const std::string& path, const char* mode) {
  File file(std::fopen(path.c_str(), mode));
  if (!file) throw IoError(fmt::format("cannot open {}: {}", path, describe_errno(errno)));
  return file;
}

void read_at(std::FILE* file, Index offset, std::span<char> bytes, const std::string& path) {
  errno = 0;
  if (fseeko(file, offset, SEEK_SET) != 0 ||
      std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
    throw IoError(fmt::format("cannot read {}: {}", path,
                              errno ? describe_errno(errno) : "it ends too early"));
  }
}

/// Digest of bytes [0, hdf5_bytes) outside the extents, which are sorted and apart.
std::uint64_t digest_structure(std::FILE* file, Index hdf5_bytes,
                               const std::vector<Extent>& contents, const std::string& path) {
  StreamDigest digest;
  std::vector<char> buffer(std::size_t{1} << 20);
  const auto digest_range = [&](Index first, Index last) {
    for (Index at = first; at < last;) {
      const Index count = std::min<Index>(last - at, static_cast<Index>(buffer.size()));
      const std::span<char> part(buffer.data(), static_cast<std::size_t>(count));
      read_at(file, at, part, path);
      digest.update(part);
      at += count;
    }
  };
  Index at = 0;
  for (const Extent& extent : contents) {
    digest_range(at, extent.offset);
    at = extent.offset + extent.length;
  }
  digest_range(at, hdf5_bytes);
  return digest.value();
}

std::uint64_t digest_seal(const std::vector<Extent>& contents, const Footer& footer) {
  StreamDigest digest;
  digest.update({reinterpret_cast<const char*>(contents.data()), contents.size() * sizeof(Extent)});
  digest.update({reinterpret_cast<const char*>(&footer), offsetof(Footer, seal)});
  return digest.value();
}

bool in_order(const std::vector<Extent>& contents, Index hdf5_bytes) {
  Index at = 0;
  for (const Extent& extent : contents) {
    if (extent.offset < at || extent.length < 0 || extent.length > hdf5_bytes - extent.offset) {
      return false;
    }
    at = extent.offset + extent.length;
  }
  return at <= hdf5_bytes;
}

}  // namespace

void append_seal(const std::string& path, std::vector<Extent> contents) {
  std::erase_if(contents, [](const Extent& extent) { return extent.length == 0; });
  std::sort(contents.begin(), contents.end(),
            [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  Footer footer;
  footer.hdf5_bytes = file_size(path);
  footer.extents = static_cast<Index>(contents.size());
  if (!in_order(contents, footer.hdf5_bytes)) {
    throw IoError(fmt::format("cannot seal {}: its datasets overlap", path));
  }
  File file = open_file(path, "r+b");
  footer.structure = digest_structure(file.get(), footer.hdf5_bytes, contents, path);
  footer.seal = digest_seal(contents, footer);
  errno = 0;
  const bool written = fseeko(file.get(), footer.hdf5_bytes, SEEK_SET) == 0 &&
                       std::fwrite(contents.data(), sizeof(Extent), contents.size(), file.get()) ==
                           contents.size() &&
                       std::fwrite(&footer, sizeof(Footer), 1, file.get()) == 1;
  const bool closed = std::fclose(file.release()) == 0;
  if (!written || !closed) {
    throw IoError(fmt::format("cannot write {}: {}", path, describe_errno(errno)));
  }
  sync_file(path);
}

std::optional<std::string> check_seal(const std::string& path) {
  const Index size = file_size(path);
  if (size < 0) return "is no file";
  if (size == 0) return "is empty";
  try {
    const File file = open_file(path, "rb");
    Footer footer;
    const Footer expected;
    const Index end = size - static_cast<Index>(sizeof(Footer));
    if (end < 0) return "is truncated: its seal is missing";
    read_at(file.get(), end, {reinterpret_cast<char*>(&footer), sizeof(Footer)}, path);
    if (footer.magic != expected.magic) return "is truncated or overwritten: its seal is missing";
    const Index most = end / static_cast<Index>(sizeof(Extent));
    if (footer.extents < 0 || footer.extents > most ||
        footer.hdf5_bytes != end - footer.extents * static_cast<Index>(sizeof(Extent))) {
      return "is damaged: its seal does not fit its size";
    }
    std::vector<Extent> contents(static_cast<std::size_t>(footer.extents));
    read_at(file.get(), footer.hdf5_bytes,
            {reinterpret_cast<char*>(contents.data()), contents.size() * sizeof(Extent)}, path);
    if (footer.seal != digest_seal(contents, footer) || !in_order(contents, footer.hdf5_bytes)) {
      return "is damaged: its seal fails its own digest";
    }
    if (footer.structure != digest_structure(file.get(), footer.hdf5_bytes, contents, path)) {
      return "is damaged: the file's structure fails its digest";
    }
  } catch (const IoError& error) {
    return fmt::format("cannot be read: {}", error.what());
  }
  return std::nullopt;
}

}  // namespace gsim::io
