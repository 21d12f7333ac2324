#include "src/io/files/checksum_trailer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/hdf5/hdf5_reader.hpp"

namespace gsim::io {
namespace {

using Magic = std::array<char, 16>;

constexpr Magic magic_of(TrailerKind kind) {
  const char* text = kind == TrailerKind::checkpoint ? "gsim checkpoint2" : "gsim file seal 1";
  Magic magic{};
  std::copy_n(text, magic.size(), magic.begin());
  return magic;
}

/// The footer: the last bytes of the file, after `extents` extents, in little-endian order.
struct Footer {
  Magic magic{};
  Index hdf5_bytes = 0;
  Index extents = 0;
  std::uint64_t structure = 0;  ///< digest of HDF5's data outside the extents
  std::uint64_t contents = 0;  ///< digest of the digests of the extents' blocks; 0 for a checkpoint
  std::uint64_t trailer = 0;   ///< digest of the extents and of the preceding members of the footer
};
static_assert(sizeof(Footer) == 56 && sizeof(Extent) == 16);

/// Block size of the contents; part of the format of the trailer.
constexpr Index block_bytes = Index{1} << 22;

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

/// Digest of bytes [0, hdf5_bytes) outside the extents, which are sorted and disjoint.
std::uint64_t digest_structure(std::FILE* file, Index hdf5_bytes,
                               const std::vector<Extent>& contents, const std::string& path) {
  StreamDigest digest;
  std::vector<char> buffer(static_cast<std::size_t>(std::min(hdf5_bytes, Index{1} << 20)));
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

std::uint64_t digest_trailer(const std::vector<Extent>& contents, const Footer& footer) {
  StreamDigest digest;
  digest.update({reinterpret_cast<const char*>(contents.data()), contents.size() * sizeof(Extent)});
  digest.update({reinterpret_cast<const char*>(&footer), offsetof(Footer, trailer)});
  return digest.value();
}

/// Whether the extents ascend, do not overlap, and are within the first `hdf5_bytes` bytes.
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

/// `contents` sorted by offset, without empty extents. IoError if they overlap.
std::vector<Extent> ordered(std::vector<Extent> contents, const std::string& path) {
  std::erase_if(contents, [](const Extent& extent) { return extent.length == 0; });
  std::sort(contents.begin(), contents.end(),
            [](const Extent& a, const Extent& b) { return a.offset < b.offset; });
  if (!in_order(contents, file_size(path)))
    throw IoError(fmt::format("cannot append checksums to {}: its datasets overlap", path));
  return contents;
}

void append_trailer(const std::string& path, TrailerKind kind, const std::vector<Extent>& contents,
                    std::uint64_t contents_digest) {
  Footer footer;
  footer.magic = magic_of(kind);
  footer.hdf5_bytes = file_size(path);
  footer.extents = static_cast<Index>(contents.size());
  footer.contents = contents_digest;
  File file = open_file(path, "r+b");
  footer.structure = digest_structure(file.get(), footer.hdf5_bytes, contents, path);
  footer.trailer = digest_trailer(contents, footer);
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

/// The extents divided into blocks, in the order of the file.
std::vector<Extent> blocks_of(const std::vector<Extent>& contents) {
  std::vector<Extent> blocks;
  for (const Extent& extent : contents)
    for (Index at = 0; at < extent.length; at += block_bytes)
      blocks.push_back({extent.offset + at, std::min(block_bytes, extent.length - at)});
  return blocks;
}

/// The digest of the blocks' digests, on rank 0; the ranks share the work. Collective.
std::uint64_t digest_contents(const Communicator& communicator, const std::string& path,
                              const std::vector<Extent>& contents) {
  const std::vector<Extent> blocks = blocks_of(contents);
  const IndexRange mine =
      partition({0, static_cast<Index>(blocks.size())}, communicator.size(), communicator.rank());
  std::vector<std::uint64_t> digests;
  communicator.agree([&] {
    if (mine.empty()) return;
    const File file = open_file(path, "rb");
    Index largest = 0;
    for (const Extent& block : blocks) largest = std::max(largest, block.length);
    std::vector<char> buffer(static_cast<std::size_t>(largest));
    digests.reserve(static_cast<std::size_t>(mine.size()));
    for (Index i = mine.first; i < mine.last; ++i) {
      const Extent& block = blocks[static_cast<std::size_t>(i)];
      const std::span<char> part(buffer.data(), static_cast<std::size_t>(block.length));
      read_at(file.get(), block.offset, part, path);
      digests.push_back(digest_bytes(part));
    }
  });
  const auto all = communicator.gather(std::span<const std::uint64_t>(digests));
  return digest_bytes({reinterpret_cast<const char*>(all.data()), all.size() * sizeof(all[0])});
}

/// Broadcasts the extents of rank 0 to all ranks. Collective.
std::vector<Extent> broadcast(const Communicator& communicator, std::vector<Extent> extents) {
  extents.resize(communicator.broadcast(extents.size()));
  if (!extents.empty())
    communicator.backend().broadcast(std::as_writable_bytes(std::span(extents)), 0);
  return extents;
}

/// The extents of the large datasets of a closed file.
std::vector<Extent> extents_in(const std::string& path) {
  const Hdf5Reader file(path);
  std::vector<Extent> extents;
  for (const std::string& dataset : file.list()) {
    const StoredShape shape = file.shape(dataset);
    const Index bytes = shape.rows * shape.columns * static_cast<Index>(shape.type.size());
    const Index offset = file.offset(dataset);
    if (bytes >= least_extent && offset >= 0) extents.push_back({offset, bytes});
  }
  return extents;
}

/// The trailer of a file, and the result of its verification.
struct Trailer {
  ChecksumResult result;
  Footer footer{};
  std::vector<Extent> contents;
};

/// Reads the trailer of a file of `size` bytes and checks that it is consistent with the file.
Trailer read_trailer(const std::string& path, Index size) {
  Trailer trailer;
  const auto damaged = [&](const char* description) {
    trailer.result.damage = description;
    return trailer;
  };
  const Index end = size - static_cast<Index>(sizeof(Footer));
  if (end < 0) return trailer;
  const File file = open_file(path, "rb");
  Footer& footer = trailer.footer;
  read_at(file.get(), end, {reinterpret_cast<char*>(&footer), sizeof(Footer)}, path);
  for (const TrailerKind kind : {TrailerKind::checkpoint, TrailerKind::file})
    if (footer.magic == magic_of(kind)) trailer.result.kind = kind;
  if (!trailer.result.kind) return trailer;
  const Index max_extents = end / static_cast<Index>(sizeof(Extent));
  if (footer.extents < 0 || footer.extents > max_extents ||
      footer.hdf5_bytes != end - footer.extents * static_cast<Index>(sizeof(Extent))) {
    return damaged("is damaged: its checksum trailer does not match its size");
  }
  std::vector<Extent>& contents = trailer.contents;
  contents.resize(static_cast<std::size_t>(footer.extents));
  read_at(file.get(), footer.hdf5_bytes,
          {reinterpret_cast<char*>(contents.data()), contents.size() * sizeof(Extent)}, path);
  if (footer.trailer != digest_trailer(contents, footer) ||
      !in_order(contents, footer.hdf5_bytes)) {
    return damaged("is damaged: its checksum trailer does not match its own digest");
  }
  if (footer.structure != digest_structure(file.get(), footer.hdf5_bytes, contents, path)) {
    return damaged("is damaged: the file's structure does not match its digest");
  }
  return trailer;
}

/// Reads the trailer of a file and verifies its structure.
Trailer checked_structure(const std::string& path) {
  Trailer trailer;
  try {
    const Index size = file_size(path);
    if (size >= 0) return read_trailer(path, size);
    trailer.result.damage = "is no file";
  } catch (const IoError& error) {
    trailer.result.damage = fmt::format("cannot be read: {}", error.what());
  }
  return trailer;
}

}  // namespace

void append_checkpoint_trailer(const std::string& path, std::vector<Extent> contents) {
  append_trailer(path, TrailerKind::checkpoint, ordered(std::move(contents), path), 0);
}

void append_file_trailer(const Communicator& communicator, const std::string& path,
                         bool has_large_datasets) {
  std::vector<Extent> contents;
  communicator.agree([&] {
    if (has_large_datasets && communicator.is_root()) contents = ordered(extents_in(path), path);
  });
  contents = broadcast(communicator, std::move(contents));
  const std::uint64_t digest = digest_contents(communicator, path, contents);
  communicator.agree([&] {
    if (communicator.is_root()) append_trailer(path, TrailerKind::file, contents, digest);
  });
}

ChecksumResult check_structure(const std::string& path) { return checked_structure(path).result; }

ChecksumResult verify_checksums(const Communicator& communicator, const std::string& path) {
  Trailer trailer;
  if (communicator.is_root()) trailer = checked_structure(path);
  ChecksumResult& result = trailer.result;
  result.kind = communicator.broadcast(result.kind);
  result.damage = communicator.broadcast(result.damage);
  if (!result.is_good() || result.kind == TrailerKind::checkpoint) return result;
  const std::vector<Extent> contents = broadcast(communicator, std::move(trailer.contents));
  try {
    const std::uint64_t digest = digest_contents(communicator, path, contents);
    if (communicator.is_root() && digest != trailer.footer.contents)
      result.damage = "is damaged: its contents do not match their digest";
  } catch (const IoError& error) {  // thrown on every rank, since the ranks have agreed on it
    result.damage = fmt::format("cannot be read: {}", error.what());
  }
  result.damage = communicator.broadcast(result.damage);
  return result;
}

std::optional<std::string> damage_of_checkpoint(const std::string& path) {
  const Index size = file_size(path);
  if (size < 0) return "is no file";
  if (size == 0) return "is empty";
  const ChecksumResult result = check_structure(path);
  if (!result.damage.empty()) return result.damage;
  if (!result.kind)
    return "is truncated or overwritten: its checksums are missing (or an earlier gsim wrote it)";
  if (result.kind != TrailerKind::checkpoint)
    return "is not a checkpoint, but another file of gsim";
  return std::nullopt;
}

}  // namespace gsim::io
