#include "src/io/segments/segments.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "gsim/core/digest.hpp"
#include "gsim/core/error.hpp"
#include "src/io/files/checksum_trailer.hpp"
#include "src/io/files/file_system.hpp"
#include "src/io/processes/reader_process.hpp"

namespace gsim::io {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view partial = ".partial";

/// N of "NAME.KIND.N", 0 for other names.
Index number_in(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem)) return 0;
  name.remove_prefix(stem.size());
  Index number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_complete = error == std::errc() && end == name.data() + name.size();
  return is_complete && number > 0 && name.front() != '0' ? number : 0;
}

}  // namespace

std::string block_prefix(Index block) { return fmt::format("blocks/{:06}/", block); }

std::string numbered_path(const std::string& path, std::string_view kind, Index number) {
  return fmt::format("{}.{}.{}", path, kind, number);
}

namespace {

struct NumberedFile {
  Index number;
  bool is_partial;
};

std::vector<NumberedFile> find_files(const std::string& path, std::string_view kind) {
  const fs::path folder = fs::path(path).parent_path();
  const std::string stem = fmt::format("{}.{}.", fs::path(path).filename().string(), kind);
  std::vector<NumberedFile> found;
  std::error_code error;
  fs::directory_iterator entries(folder.empty() ? fs::path(".") : folder, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return {};
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    std::string name = entries->path().filename().string();
    const bool is_partial = name.ends_with(partial);
    if (is_partial) name.resize(name.size() - partial.size());
    if (const Index number = number_in(name, stem)) found.push_back({number, is_partial});
  }
  if (error) {
    throw IoError(fmt::format("cannot list the parts of {}: {}", path, error.message()));
  }
  return found;
}

}  // namespace

std::vector<Index> list_numbered_files(const std::string& path, std::string_view kind) {
  std::vector<Index> numbers;
  for (const NumberedFile& found : find_files(path, kind))
    if (!found.is_partial) numbers.push_back(found.number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void remove_numbered_files(const std::string& path, std::string_view kind,
                           const std::function<bool(Index)>& is_old) {
  for (const NumberedFile& found : find_files(path, kind)) {
    const std::string name = numbered_path(path, kind, found.number);
    if (found.is_partial) {
      discard_file(name + std::string(partial));
    } else if (is_old(found.number)) {
      std::error_code ignored;
      fs::remove(name, ignored);  // not truncated, because it may be a hard link to the joined file
    }
  }
}

std::vector<Piece> pieces_of(const Hdf5Reader& file, Index frames) {
  if (!file.has(block_frames_path)) return {{"", 0, frames}};
  std::vector<Piece> pieces;
  Index first = 0, block = 0;
  for (const Index count : file.read_all<Index>(block_frames_path)) {
    const Index used = std::min(count, frames - first);
    if (used > 0) pieces.push_back({block_prefix(++block), first, used});
    first += count;
  }
  return pieces;
}

std::string why_unusable(const std::string& path, const Segment& segment) {
  if (file_size(path) < 0) return "is not there";
  const ChecksumResult result = check_structure(path);
  if (!result.damage.empty()) return result.damage;
  if (!result.kind) return "has no checksums: it is truncated, or was overwritten";
  try {
    const Hdf5Reader file(path);
    const Index frames = file.shape(frame_digests_path).rows;
    if (frames < segment.frames) {
      return fmt::format("has {} frames, not {}", frames, segment.frames);
    }
    std::uint64_t digest = 0;
    file.read_numbers(frame_digests_path, ElementType::uint64, {segment.frames - 1, segment.frames},
                      &digest);
    if (digest != segment.digest) return "has the frames of another run";
  } catch (const IoError& error) {
    return fmt::format("cannot be used: {}", error.what());
  }
  return {};
}

std::string stored_digest(const std::string& path) {
  const ChecksumResult result = check_structure(path);
  if (!result.damage.empty()) throw IoError(fmt::format("{} {}", path, result.damage));
  return result.kind ? Hdf5Reader(path).attribute("gsim", "digest")
                     : ReaderProcess(path).attribute("gsim", "digest");
}

void link_or_copy(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::remove(to, error);
  fs::create_hard_link(from, to, error);
  if (!error) return;
  fs::copy_file(from, to + std::string(partial), fs::copy_options::overwrite_existing, error);
  if (error) throw IoError(fmt::format("cannot copy {} to {}: {}", from, to, error.message()));
  sync_file(to + std::string(partial));
  rename_into_place(to + std::string(partial), to);
}

}  // namespace gsim::io
