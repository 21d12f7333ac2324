#include "gsim/io/animated_png.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "gsim/core/error.hpp"
#include "gsim/io/new_file.hpp"
#include "src/io/pictures/png_memory.hpp"

namespace gsim {
namespace {

constexpr std::string_view signature("\x89PNG\r\n\x1a\n", 8);

/// A number in big-endian order, as required by PNG.
std::string bytes_of(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xffU);
  return bytes;
}

/// The big-endian number in the first four bytes.
std::uint32_t number_at(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

AnimatedPng::AnimatedPng(std::string path, Index frames, int milliseconds)
    : path_(std::move(path)),
      partial_(path_ + ".partial"),
      frames_(frames),
      milliseconds_(milliseconds) {
  GSIM_EXPECT(frames > 0 && milliseconds > 0 && milliseconds < 65536);
  io_detail::make_folder_of(path_);
  make_new_file(partial_);
  file_.open(partial_, std::ios::binary);
  file_ << signature;
  if (!file_) fail("could not be written");
}

AnimatedPng::~AnimatedPng() {
  if (is_done_) return;
  file_.close();
  std::remove(partial_.c_str());
}

void AnimatedPng::fail(const std::string& problem) const {
  throw IoError(fmt::format("the animation {} {}: {}", path_, problem, std::strerror(errno)));
}

void AnimatedPng::write(std::string_view type, std::string_view data) {
  uLong checksum = ::crc32(0, reinterpret_cast<const Bytef*>(type.data()), 4);
  if (!data.empty())  // zlib's crc32() resets the checksum if it is passed no data
    checksum = ::crc32(checksum, reinterpret_cast<const Bytef*>(data.data()),
                       static_cast<uInt>(data.size()));
  file_ << bytes_of(static_cast<std::uint32_t>(data.size())) << type << data
        << bytes_of(static_cast<std::uint32_t>(checksum));
  if (!file_) fail("could not be written");
}

/// The frame control chunk: the next frame covers the whole image and replaces the previous one.
void AnimatedPng::write_control() {
  std::string data = bytes_of(sequence_++);
  data += bytes_of(static_cast<std::uint32_t>(columns_));
  data += bytes_of(static_cast<std::uint32_t>(rows_));
  data += bytes_of(0) + bytes_of(0);
  const auto delay = static_cast<std::uint32_t>(milliseconds_);
  data += bytes_of(delay << 16 | 1000U);  // numerator and denominator of the delay in seconds
  data += std::string(2, '\0');           // dispose: none; blend: replace
  write("fcTL", data);
}

void AnimatedPng::add(const Raster& frame) {
  const bool is_first = added_ == 0;
  if (is_first) {
    columns_ = frame.columns;
    rows_ = frame.rows;
  }
  GSIM_EXPECT(frame.columns == columns_ && frame.rows == rows_ && added_ < frames_);
  const std::string png = io_detail::png_in_memory(frame.columns, frame.rows, frame.rgb);
  std::string_view rest = std::string_view(png).substr(signature.size());
  bool has_control = false;
  constexpr std::size_t overhead = 12;  // length, type and checksum of a chunk
  while (rest.size() >= overhead) {
    const std::size_t length = number_at(rest);
    const std::string_view type = rest.substr(4, 4), data = rest.substr(8, length);
    if (type == "IDAT") {
      if (!has_control) {
        if (is_first) write("acTL", bytes_of(static_cast<std::uint32_t>(frames_)) + bytes_of(0));
        write_control();
      }
      has_control = true;
      if (is_first)
        write("IDAT", data);
      else
        write("fdAT", bytes_of(sequence_++) + std::string(data));
    } else if (is_first && type != "IEND") {
      write(type, data);  // the header chunks
    }
    rest.remove_prefix(overhead + length);
  }
  ++added_;
}

void AnimatedPng::commit() {
  GSIM_EXPECT(added_ == frames_);
  write("IEND", {});
  file_.close();
  if (!file_) fail("could not be written");
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) fail("could not be renamed");
  is_done_ = true;
}

}  // namespace gsim
