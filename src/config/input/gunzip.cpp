#include "gunzip.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <zlib.h>

namespace gsim::config_detail {
namespace {

/// Owns zlib's state.
class Inflater {
 public:
  Inflater() {
    constexpr int gzip_window = 15 + 16;  // the largest window; 16: a gzip header, not zlib's own
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

std::string limit_reason(std::size_t max_bytes) {
  return fmt::format("it unpacks to more than {} MiB of text, the largest size that gsim reads",
                     max_bytes >> 20);
}

}  // namespace

std::string gunzip(std::string_view packed, std::string& text, std::size_t max_bytes) {
  text.clear();
  Inflater inflater;
  z_stream& z = inflater.stream();
  std::vector<char> out(std::size_t{1} << 18);
  bool member_ended = false;
  while (!packed.empty() || !member_ended) {
    if (member_ended) {
      if (!is_gzip(packed)) return "there are other bytes after its gzip data";
      inflateReset(&z);
    }
    const auto available =
        static_cast<uInt>(std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max()));
    // zlib does not write through next_in, although it is no pointer to const.
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    z.avail_in = available;
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&z, Z_NO_FLUSH);
    const std::size_t written = out.size() - z.avail_out, used = available - z.avail_in;
    if (result == Z_BUF_ERROR && packed.empty()) return "its gzip data end too early";
    if (result != Z_OK && result != Z_STREAM_END) {
      return fmt::format("its gzip data are damaged ({})", z.msg != nullptr ? z.msg : "no reason");
    }
    if (written > max_bytes - text.size()) return limit_reason(max_bytes);
    text.append(out.data(), written);
    packed.remove_prefix(used);
    member_ended = result == Z_STREAM_END;
    if (!member_ended && packed.empty() && written < out.size())
      return "its gzip data end too early";
  }
  return {};
}

std::string unpacked_beginning(const std::string& path, std::size_t max_bytes) {
  std::string begin(max_bytes, '\0');
  gzFile file = gzopen(path.c_str(), "rb");
  const int read =
      file == nullptr ? 0 : gzread(file, begin.data(), static_cast<unsigned>(begin.size()));
  if (file != nullptr) gzclose(file);
  begin.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
  return begin;
}

}  // namespace gsim::config_detail
