#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "gsim/core/error.hpp"
#include "src/modules/transport/particle_files/mcpl_file.hpp"

namespace gsim::transport {
namespace {

/// Reads numbers from bytes, in the byte order of the file.
class Bytes {
 public:
  Bytes(const char* at, bool is_swapped) : at_(at), is_swapped_(is_swapped) {}
  template <class T>
  T take() {
    char raw[sizeof(T)];
    std::memcpy(raw, at_, sizeof(T));
    if (is_swapped_) std::reverse(raw, raw + sizeof(T));
    at_ += sizeof(T);
    T value;
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }

 private:
  const char* at_;
  bool is_swapped_;
};

}  // namespace

std::size_t McplHeader::record_size() const {
  const std::size_t real = is_single ? 4 : 8;
  // Position, packed direction and energy, and time are seven reals.
  return real * (7 + (has_polarisation ? 3 : 0) + (common_weight == 0 ? 1 : 0)) +
         (common_pdg == 0 ? 4 : 0) + (has_flags ? 4 : 0);
}

struct McplReader::Impl {
  explicit Impl(const std::string& name) : path(name), file(gzopen(name.c_str(), "rb")) {
    if (file == nullptr) fail("it cannot be opened");
    gzbuffer(file, 1 << 18);
  }
  ~Impl() {
    if (file != nullptr) gzclose(file);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(fmt::format("{}: {}", path, problem));
  }

  /// Reads exactly `count` bytes.
  void bytes(char* to, std::size_t count) {
    constexpr std::size_t max_bytes = 1 << 30;
    while (count > 0) {
      const int got = gzread(file, to, static_cast<unsigned>(std::min(count, max_bytes)));
      if (got < 0) {
        int code = 0;
        fail(fmt::format("its data are damaged ({})", gzerror(file, &code)));
      }
      if (got == 0) fail("it ends too early");
      to += got;
      count -= static_cast<std::size_t>(got);
    }
  }
  template <class T>
  T number() {
    char raw[sizeof(T)];
    bytes(raw, sizeof(T));
    return Bytes(raw, is_swapped).template take<T>();
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    std::string value;
    // In small parts, so that a damaged length does not allocate gigabytes.
    constexpr std::uint32_t part = 1 << 20;
    for (std::uint32_t done = 0; done < size;) {
      const std::uint32_t next = std::min(part, size - done);
      value.resize(done + next);
      bytes(value.data() + done, next);
      done += next;
    }
    return value;
  }

  void read_header() {
    char magic[8];
    const int got = gzread(file, magic, sizeof magic);
    if (got != sizeof magic || std::memcmp(magic, "MCPL", 4) != 0) fail("it is not an MCPL file");
    const std::string version(magic + 4, 3);
    if (version != "002" && version != "003")
      fail(fmt::format("it is of MCPL version {}; gsim reads versions 2 and 3", version));
    header.version = version == "002" ? 2 : 3;
    if (magic[7] != 'L' && magic[7] != 'B') fail("its byte order is unknown");
    is_swapped = (magic[7] == 'L') != (std::endian::native == std::endian::little);
    count = number<std::uint64_t>();
    const auto comments = number<std::uint32_t>(), blobs = number<std::uint32_t>();
    header.has_flags = number<std::uint32_t>() != 0;
    header.has_polarisation = number<std::uint32_t>() != 0;
    header.is_single = number<std::uint32_t>() != 0;
    header.common_pdg = number<std::int32_t>();
    const auto record = number<std::uint32_t>();
    if (number<std::uint32_t>() != 0) header.common_weight = number<double>();
    if (record != header.record_size())
      fail(fmt::format("its records have {} bytes; their contents need {}", record,
                       header.record_size()));
    header.source_name = text();
    for (std::uint32_t i = 0; i < comments; ++i) header.comments.push_back(text());
    for (std::uint32_t i = 0; i < blobs; ++i) header.blobs.emplace_back(text(), "");
    for (auto& blob : header.blobs) blob.second = text();
    begin = gztell(file);
    check_closed();
  }
  /// The number of particles is written when a file is closed.
  void check_closed() {
    if (count > 0) return;
    if (gzgetc(file) != -1)
      fail(
          "its header has no particles, but it contains some: it was never closed; `mcpltool "
          "--repair` repairs such files");
    gzseek(file, begin, SEEK_SET);
  }

  McplParticle unpack(const char* record) const {
    Bytes in(record, is_swapped);
    const auto real = [&] { return header.is_single ? in.take<float>() : in.take<double>(); };
    McplParticle p;
    if (header.has_polarisation)
      for (double& x : p.polarisation) x = real();
    for (double& x : p.position) x = real();
    double packed[3];
    for (double& x : packed) x = real();
    unpack_direction(header.version, packed, p.direction, p.energy);
    p.time = real();
    p.weight = header.common_weight != 0 ? header.common_weight : real();
    p.pdg = header.common_pdg != 0 ? header.common_pdg : in.take<std::int32_t>();
    if (header.has_flags) p.flags = in.take<std::uint32_t>();
    return p;
  }

  std::string path;
  gzFile file;
  McplHeader header;
  bool is_swapped = false;
  std::uint64_t count = 0, next = 0;  ///< number of particles, and index of the next one
  z_off_t begin = 0;                  ///< position of the first record
  std::vector<char> buffer;
};

McplReader::McplReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {
  impl_->read_header();
}
McplReader::~McplReader() = default;
McplReader::McplReader(McplReader&&) noexcept = default;
McplReader& McplReader::operator=(McplReader&&) noexcept = default;

const McplHeader& McplReader::header() const { return impl_->header; }
std::uint64_t McplReader::particles() const { return impl_->count; }
std::uint64_t McplReader::position() const { return impl_->next; }

std::size_t McplReader::read(std::span<McplParticle> particles) {
  Impl& f = *impl_;
  const std::size_t size = f.header.record_size();
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(particles.size(), f.count - f.next));
  constexpr std::size_t block = 4096;
  f.buffer.resize(block * size);
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(block, count - done);
    f.bytes(f.buffer.data(), now * size);
    for (std::size_t i = 0; i < now; ++i) particles[done + i] = f.unpack(&f.buffer[i * size]);
    done += now;
    f.next += now;
  }
  return count;
}

void McplReader::seek(std::uint64_t particle) {
  Impl& f = *impl_;
  GSIM_EXPECT(particle <= f.count);
  const auto offset = static_cast<z_off_t>(particle * f.header.record_size());
  if (gzseek(f.file, f.begin + offset, SEEK_SET) != f.begin + offset) f.fail("it ends too early");
  f.next = particle;
}

}  // namespace gsim::transport
