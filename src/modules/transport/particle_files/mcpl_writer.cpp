#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <zlib.h>

#include "gsim/core/error.hpp"
#include "gsim/io/new_file.hpp"
#include "src/modules/transport/particle_files/mcpl_file.hpp"

namespace gsim::transport {
namespace {

constexpr std::streamoff count_offset = 8;  ///< position of the number of particles in a file

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void append_text(std::string& bytes, const std::string& text) {
  append(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

}  // namespace

std::string mcpl_head(const McplHeader& h, std::uint64_t particles) {
  std::string bytes =
      fmt::format("MCPL{:03}{}", h.version, std::endian::native == std::endian::little ? 'L' : 'B');
  append(bytes, particles);
  append(bytes, static_cast<std::uint32_t>(h.comments.size()));
  append(bytes, static_cast<std::uint32_t>(h.blobs.size()));
  append(bytes, std::uint32_t{h.has_flags});
  append(bytes, std::uint32_t{h.has_polarisation});
  append(bytes, std::uint32_t{h.is_single});
  append(bytes, h.common_pdg);
  append(bytes, static_cast<std::uint32_t>(h.record_size()));
  append(bytes, std::uint32_t{h.common_weight != 0});
  if (h.common_weight != 0) append(bytes, h.common_weight);
  append_text(bytes, h.source_name);
  for (const std::string& comment : h.comments) append_text(bytes, comment);
  for (const auto& [key, value] : h.blobs) append_text(bytes, key);
  for (const auto& [key, value] : h.blobs) append_text(bytes, value);
  return bytes;
}

double mcpl_sum(const McplHeader& header, std::string_view key) {
  const std::string prefix = fmt::format("stat:sum:{}:", key);
  for (const std::string& comment : header.comments)
    if (comment.starts_with(prefix)) {
      const std::size_t first = comment.find_first_not_of(' ', prefix.size());
      double value = -1;
      if (first != std::string::npos)
        std::from_chars(comment.data() + first, comment.data() + comment.size(), value);
      return value;
    }
  return -1;
}

void append_mcpl_record(std::string& bytes, const McplHeader& h, const McplParticle& p) {
  const auto real = [&](double x) {
    if (h.is_single)
      append(bytes, static_cast<float>(x));
    else
      append(bytes, x);
  };
  if (h.has_polarisation)
    for (const double x : p.polarisation) real(x);
  for (const double x : p.position) real(x);
  double packed[3];
  pack_direction(h.version, p.direction, p.energy, packed);
  for (const double x : packed) real(x);
  real(p.time);
  if (h.common_weight == 0) real(p.weight);
  if (h.common_pdg == 0) append(bytes, p.pdg);
  if (h.has_flags) append(bytes, p.flags);
}

struct McplWriter::Impl {
  Impl(const std::string& name, McplHeader h) : path(name), header(std::move(h)) {
    GSIM_EXPECT(header.version == 2 || header.version == 3);
    make_new_file(partial());
    errno = 0;
    file.open(partial(), std::ios::binary | std::ios::trunc);
    if (!file) fail("created");
    const std::string bytes = mcpl_head(header, 0);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  ~Impl() {
    file.close();
    std::error_code ignored;
    std::filesystem::remove(partial(), ignored);
    std::filesystem::remove(packed(), ignored);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  std::string partial() const { return path + ".partial"; }
  /// The temporary file that pack() compresses the data into.
  std::string packed() const { return path + ".packing"; }
  [[noreturn]] void fail(const char* what) const {
    throw IoError(fmt::format("{} cannot be {}: {}", path, what,
                              errno != 0 ? std::strerror(errno) : "no reason is given"));
  }

  void pack() {
    std::ifstream in(partial(), std::ios::binary);
    make_new_file(packed());
    gzFile out = gzopen(packed().c_str(), "wb");
    if (!in || out == nullptr) {
      if (out != nullptr) gzclose(out);
      fail("compressed");
    }
    std::vector<char> buffer(1 << 18);
    bool is_good = true;
    while (is_good && in) {
      in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
      const auto count = static_cast<unsigned>(in.gcount());
      if (count > 0) is_good = gzwrite(out, buffer.data(), count) == static_cast<int>(count);
    }
    is_good = gzclose(out) == Z_OK && is_good && in.eof();
    if (!is_good) fail("compressed");
  }

  std::string path;
  McplHeader header;
  std::ofstream file;
  std::uint64_t count = 0;
  std::string record;
};

McplWriter::McplWriter(const std::string& path, McplHeader header)
    : impl_(std::make_unique<Impl>(path, std::move(header))) {}
McplWriter::~McplWriter() = default;

void McplWriter::write(const McplParticle& p) {
  Impl& f = *impl_;
  f.record.clear();
  append_mcpl_record(f.record, f.header, p);
  f.file.write(f.record.data(), static_cast<std::streamsize>(f.record.size()));
  ++f.count;
}

void McplWriter::close() {
  Impl& f = *impl_;
  errno = 0;
  f.file.seekp(count_offset);
  f.file.write(reinterpret_cast<const char*>(&f.count), sizeof f.count);
  f.file.close();
  if (!f.file) f.fail("written");
  const bool is_packed = f.path.ends_with(".gz");
  if (is_packed) f.pack();
  std::error_code error;
  std::filesystem::rename(is_packed ? f.packed() : f.partial(), f.path, error);
  if (error) {
    errno = error.value();
    f.fail("renamed");
  }
}

}  // namespace gsim::transport
