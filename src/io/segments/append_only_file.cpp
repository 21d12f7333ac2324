#include "gsim/io/append_only_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "gsim/io/backup_file.hpp"
#include "gsim/io/file_lock.hpp"
#include "gsim/io/new_file.hpp"
#include "gsim/io/run_specific.hpp"
#include "src/io/files/block_digest.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/segments/segments.hpp"

namespace gsim {
using namespace io;
namespace fs = std::filesystem;
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr const char* kind = "part";

/// Digest of a text in chunks of 1 MiB, so that it can be continued from its value at the last
/// complete chunk and the following text.
class ChunkDigest {
 public:
  explicit ChunkDigest(std::uint64_t whole_chunks = 0) : chunks_(whole_chunks) {}
  void add(std::string_view text) {
    while (tail_.size() + text.size() >= chunk_bytes) {
      const std::string_view head = text.substr(0, chunk_bytes - tail_.size());
      tail_ += head;
      text.remove_prefix(head.size());
      chunks_ = Digest().add(chunks_).add(digest_bytes(tail_)).value();
      tail_.clear();
    }
    tail_ += text;
  }
  std::uint64_t whole_chunks() const { return chunks_; }
  std::uint64_t value() const { return Digest().add(chunks_).add(digest_bytes(tail_)).value(); }

 private:
  std::uint64_t chunks_;
  std::string tail_;
};

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const char* action, const std::string& path) {
  throw IoError(fmt::format("cannot {} {}: {}", action, path, describe_errno(errno)));
}

/// Like fopen(), but does not follow symbolic links; "wb" creates a new file.
File open_file(const std::string& path, const char* mode) {
  const std::string_view word = mode;
  if (word == "wb") make_new_file(path);
  const int flags = word == "rb"    ? O_RDONLY
                    : word == "r+b" ? O_RDWR
                    : word == "ab"  ? O_WRONLY | O_APPEND | O_CREAT
                                    : O_WRONLY;
  const int descriptor = ::open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor < 0) fail("open", path);
  File file(::fdopen(descriptor, mode));
  if (!file) {
    ::close(descriptor);
    fail("open", path);
  }
  return file;
}

/// Passes bytes [first, last) of a file to `consume`, in pieces.
template <class Consume>
void read_range(const std::string& path, Index first, Index last, const Consume& consume) {
  const File file = open_file(path, "rb");
  if (fseeko(file.get(), first, SEEK_SET) != 0) fail("read", path);
  std::vector<char> buffer(chunk_bytes);
  while (first < last) {
    const auto count = std::min(static_cast<std::size_t>(last - first), buffer.size());
    if (std::fread(buffer.data(), 1, count, file.get()) != count) fail("read", path);
    consume(std::string_view(buffer.data(), count));
    first += static_cast<Index>(count);
  }
}

/// The digest of bytes [first, last).
std::uint64_t digest_of_file(const std::string& path, Index first, Index last) {
  ChunkDigest digest;
  read_range(path, first, last, [&](std::string_view text) { digest.add(text); });
  return digest.value();
}

std::string state_path(std::string_view prefix, const char* name) {
  return fmt::format("{}/{}", prefix, name);
}

}  // namespace

struct AppendOnlyFile::Impl {
  Communicator communicator;
  std::string path;
  Index header = 0;  ///< length in bytes
  FileLock lock = {};
  Index number = 1;  ///< number of the part
  int saves = 0;     ///< calls of save(); at the third, two checkpoints of this run are complete
  bool keeps_files_of_other_runs = false;
  bool finished = false;  ///< finish() was called and nothing was added since
  // On rank 0:
  File file = {};
  Index bytes = 0;  ///< size in bytes without the header
  ChunkDigest digest{};

  /// Whether finish() may remove the part `other`. With keep_files_of_other_runs() the parts of an
  /// earlier run are kept until this run has two checkpoints, which replace those of that run.
  bool may_remove(Index other) const {
    return !keeps_files_of_other_runs || saves >= 3 || other >= number;
  }
  std::string part_path() const { return numbered_path(path, kind, number); }
  /// Calls body() on rank 0; an error is thrown on all ranks.
  void at_root(const std::function<void()>& body) const {
    communicator.agree([&] {
      if (communicator.is_root()) body();
    });
  }
  void write(std::string_view text);
  void flush();
  void write_header(std::string_view header_text) const;
  bool has_this_text(const std::string& other) const {
    return file_size(other) == header + bytes &&
           digest_of_file(other, header, header + bytes) == digest.value();
  }
  void open_at(Index length, std::uint64_t whole_chunks, std::uint64_t expected);
  void copy_finished(Index length, std::uint64_t expected) const;
};

AppendOnlyFile::AppendOnlyFile(Communicator communicator, std::string path, Index header_bytes)
    : impl_(new Impl{std::move(communicator), std::move(path), header_bytes}) {}

AppendOnlyFile::~AppendOnlyFile() = default;

const std::string& AppendOnlyFile::path() const { return impl_->path; }

void AppendOnlyFile::start() {
  Impl& i = *impl_;
  i.at_root([&] {
    i.lock = FileLock(i.path);
    if (fs::is_directory(i.path))
      throw InputError(fmt::format("{} is a folder; choose another file name", i.path));
    refuse_existing(i.path);
    const auto numbers = list_numbered_files(i.path, kind);
    i.number = numbers.empty() ? 1 : numbers.back() + 1;
    i.file = open_file(i.part_path(), "wb");
    const std::string zeros(static_cast<std::size_t>(i.header), '\0');
    if (std::fwrite(zeros.data(), 1, zeros.size(), i.file.get()) != zeros.size())
      fail("write", i.part_path());
  });
  i.number = i.communicator.broadcast(i.number);
}

void AppendOnlyFile::Impl::write(std::string_view text) {
  if (!file) file = open_file(part_path(), "ab");  // the run had finished before
  finished = false;
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    fail("write", part_path());
  bytes += static_cast<Index>(text.size());
  digest.add(text);
}

void AppendOnlyFile::append(std::string_view mine) {
  Impl& i = *impl_;
  std::vector<char> gathered;
  if (i.communicator.size() > 1) {
    gathered = i.communicator.gather(std::span<const char>(mine));
    mine = {gathered.data(), gathered.size()};
  }
  i.at_root([&] {
    if (i.finished) i.copy_finished(i.bytes, i.digest.value());
    i.write(mine);
  });
}

/// Flushes all data to disk.
void AppendOnlyFile::Impl::flush() {
  if (!file) return;
  if (std::fflush(file.get()) != 0 || ::fsync(::fileno(file.get())) != 0)
    fail("write", part_path());
}

void AppendOnlyFile::save(DatasetWriter& writer, std::string_view prefix) {
  Impl& i = *impl_;
  i.at_root([&] { i.flush(); });
  writer.write(state_path(prefix, "part"), i.number);
  mark_run_specific(writer, state_path(prefix, "part"));
  writer.write(state_path(prefix, "bytes"), i.bytes);  // the value of rank 0
  writer.write(state_path(prefix, "chunks"), i.digest.whole_chunks());
  writer.write(state_path(prefix, "digest"), i.digest.value());
  if (++i.saves < 3 || !i.communicator.is_root()) return;
  remove_numbered_files(i.path, kind, [&](Index number) { return number < i.number; });
}

void AppendOnlyFile::restore(DatasetReader& reader, std::string_view prefix) {
  Impl& i = *impl_;
  i.number = reader.read_value<Index>(state_path(prefix, "part"));
  const auto length = reader.read_value<Index>(state_path(prefix, "bytes"));
  const auto chunks = reader.read_value<std::uint64_t>(state_path(prefix, "chunks"));
  const auto digest = reader.read_value<std::uint64_t>(state_path(prefix, "digest"));
  i.at_root([&] {
    i.lock = FileLock(i.path);
    i.open_at(length, chunks, digest);
    remove_numbered_files(i.path, kind, [&](Index number) { return number != i.number; });
  });
}

/// Opens the part at the position of the checkpoint: `length` bytes with the digest `expected`.
void AppendOnlyFile::Impl::open_at(Index length, std::uint64_t whole_chunks,
                                   std::uint64_t expected) {
  if (file_size(part_path()) < 0) copy_finished(length, expected);
  if (file_size(part_path()) < header + length) {
    throw IoError(
        fmt::format("{} has {} of the {} bytes that the checkpoint covers; put it "
                    "back, or start afresh without --resume",
                    part_path(), file_size(part_path()), header + length));
  }
  digest = ChunkDigest(whole_chunks);
  const Index last_chunk = length - length % static_cast<Index>(chunk_bytes);
  read_range(part_path(), header + last_chunk, header + length,
             [&](std::string_view text) { digest.add(text); });
  if (digest.value() != expected) {
    throw IoError(
        fmt::format("{} is not the text that the checkpoint covers; start afresh without --resume",
                    part_path()));
  }
  truncate_file(part_path(), header + length);
  file = open_file(part_path(), "ab");
  bytes = length;
}

/// Copies the beginning of the finished file to a part of the continued run.
void AppendOnlyFile::Impl::copy_finished(Index length, std::uint64_t expected) const {
  if (file_size(path) < header + length ||
      digest_of_file(path, header, header + length) != expected) {
    throw IoError(fmt::format(
        "the text of {} that the checkpoint covers is missing: there is no {}, and {} holds "
        "other text; put it back, or start afresh without --resume",
        path, part_path(), path));
  }
  const std::string partial = part_path() + ".partial";
  File copy = open_file(partial, "wb");
  read_range(path, 0, header + length, [&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), copy.get()) != text.size()) fail("write", partial);
  });
  if (std::fclose(copy.release()) != 0) fail("write", partial);
  sync_file(partial);
  rename_into_place(partial, part_path());
}

void AppendOnlyFile::keep_files_of_other_runs() { impl_->keeps_files_of_other_runs = true; }

void AppendOnlyFile::Impl::write_header(std::string_view header_text) const {
  const File part_file = open_file(part_path(), "r+b");
  if (std::fwrite(header_text.data(), 1, header_text.size(), part_file.get()) !=
          header_text.size() ||
      std::fflush(part_file.get()) != 0 || ::fsync(::fileno(part_file.get())) != 0)
    fail("write", part_path());
}

std::string AppendOnlyFile::finish(std::string_view header) {
  Impl& i = *impl_;
  GSIM_EXPECT(static_cast<Index>(header.size()) == i.header);
  std::string backup;
  i.at_root([&] {
    if (i.finished) return;
    i.flush();
    i.file.reset();
    if (i.header > 0) i.write_header(header);
    if (file_size(i.path) >= 0 && !i.has_this_text(i.path)) backup = back_up_file(i.path);
    rename_into_place(i.part_path(), i.path);
    remove_numbered_files(i.path, kind, [&](Index number) { return i.may_remove(number); });
    i.finished = true;
  });
  return i.communicator.broadcast(backup);
}

std::uint64_t AppendOnlyFile::digest() {
  return impl_->communicator.broadcast(impl_->digest.value());
}

}  // namespace gsim
