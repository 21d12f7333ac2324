#include "gsim/io/compare_files.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/regular_file.hpp"
#include "src/io/compare/frame_files.hpp"
#include "src/io/compare/loaded_table.hpp"

namespace gsim {
namespace io {
namespace {

enum class FrameFormat { none, hdf5, particle_list, text };

FrameFormat format_of(const std::string& path) {
  std::string head(64, '\0');
  head.resize(PackedFile(path).read(head.data(), head.size()));
  if (head.starts_with("\x89HDF\r\n\x1a\n")) return FrameFormat::hdf5;
  if (head.starts_with("MCPL")) return FrameFormat::particle_list;
  if (head.starts_with("ITEM: TIMESTEP")) return FrameFormat::text;
  const std::string_view line = std::string_view(head).substr(0, head.find('\n'));
  const bool is_number = !line.empty() && line.size() < head.size() &&
                         std::all_of(line.begin(), line.end(), [](unsigned char c) {
                           return std::isdigit(c) != 0 || c == ' ' || c == '\r';
                         });
  return is_number ? FrameFormat::text : FrameFormat::none;
}

}  // namespace

PackedFile::PackedFile(const std::string& path) : path_(path) {
  if (const std::string reason = regular_file_problem(path); !reason.empty())
    throw InputError(fmt::format("cannot compare {}: {}", path, reason));
  file_.reset(gzopen(path.c_str(), "rb"));
  if (!file_) fail("it cannot be opened");
  gzbuffer(file_.get(), 1 << 18);
}

void PackedFile::fail(const std::string& problem) const {
  throw InputError(fmt::format("cannot compare {}: {}", path_, problem));
}

std::size_t PackedFile::read(char* to, std::size_t count) {
  const int got = gzread(file_.get(), to, static_cast<unsigned>(count));
  if (got < 0) {
    int code = 0;
    fail(fmt::format("its data are damaged ({})", gzerror(file_.get(), &code)));
  }
  return static_cast<std::size_t>(got);
}

bool PackedFile::read_line(std::string& line) {
  line.clear();
  char part[4096];
  while (gzgets(file_.get(), part, sizeof part) != nullptr) {
    line += part;
    if (!line.ends_with('\n')) continue;
    line.pop_back();
    return true;
  }
  int code = 0;
  if (const std::string problem = gzerror(file_.get(), &code); code != Z_OK && code != Z_STREAM_END)
    fail(fmt::format("its data are damaged ({})", problem));
  return !line.empty();
}

void add_difference(FileComparison& out, FileDifference difference) {
  if (!out.difference || difference.frame < out.difference->frame)
    out.difference = std::move(difference);
}

}  // namespace io

std::string FileDifference::place() const {
  std::string text = frame < 0 ? "" : fmt::format("frame {}", frame);
  if (frame >= 0 && !step.empty()) text += fmt::format(" (step {})", step);
  if (!item.empty()) text += (text.empty() ? "" : ", ") + item;
  return text.empty() ? "all frames" : text;
}

bool is_frame_file(const std::string& path) {
  const io::FrameFormat format = io::format_of(path);
  return format == io::FrameFormat::hdf5
             ? !io::Hdf5Reader(io::verified_path(path, "an HDF5 file of gsim"))
                    .has_group("provenance")
             : format != io::FrameFormat::none;
}

FileComparison compare_files(const std::string& first, const std::string& second) {
  const io::FrameFormat format = io::format_of(first);
  for (const std::string& path : {first, second})
    if (io::format_of(path) == io::FrameFormat::none)
      throw InputError(fmt::format(
          "cannot compare {}: it is neither a result file of gsim nor a trajectory, fields on a "
          "grid, or a particle list",
          path));
  if (io::format_of(second) != format)
    throw InputError(
        fmt::format("cannot compare {} and {}: they have different formats", first, second));
  switch (format) {
    case io::FrameFormat::hdf5:
      return io::compare_hdf5_files(first, second);
    case io::FrameFormat::particle_list:
      return io::compare_particle_lists(first, second);
    default:
      return io::compare_text_trajectories(first, second);
  }
}

}  // namespace gsim
