// Particle lists in the MCPL format (T. Kittelmann et al., Comput. Phys. Commun. 218 (2017) 17).
// The modules of transport read and write such files; here their records are compared as they are.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/io/compare/frame_files.hpp"

namespace gsim::io {
namespace {

enum class FieldType { float32, float64, int32, uint32 };

/// A part of a record.
struct Field {
  std::string name;
  FieldType type;
  std::size_t offset = 0;

  std::size_t size() const { return type == FieldType::float64 ? 8 : 4; }
};

/// The header of a file, after which its records follow.
class ParticleList {
 public:
  explicit ParticleList(const std::string& path) : file_(path) {
    char magic[8];
    bytes(magic, sizeof magic);
    const char native = std::endian::native == std::endian::little ? 'L' : 'B';
    version = std::string(magic + 4, 3);
    if (version != "002" && version != "003")
      file_.fail(fmt::format("it is of MCPL version {}; gsim reads versions 2 and 3", version));
    if (magic[7] != native) file_.fail("its byte order is not that of this machine");
    particles = number<std::uint64_t>();
    const auto comments = number<std::uint32_t>(), blobs = number<std::uint32_t>();
    const bool has_flags = number<std::uint32_t>() != 0;
    const bool has_polarisation = number<std::uint32_t>() != 0;
    const bool is_single = number<std::uint32_t>() != 0;
    const auto common_pdg = number<std::int32_t>();
    record = number<std::uint32_t>();
    double common_weight = 0;
    if (number<std::uint32_t>() != 0) common_weight = number<double>();
    texts.push_back(text());
    for (std::uint32_t i = 0; i < comments + 2 * blobs; ++i) texts.push_back(text());
    common = fmt::format("PDG code {}, weight {}", common_pdg, common_weight);
    set_fields(has_polarisation, is_single, common_weight == 0, common_pdg == 0, has_flags);
  }

  /// Reads the next `count` records.
  std::vector<char> records(std::size_t count) {
    std::vector<char> data(count * record);
    bytes(data.data(), data.size());
    return data;
  }

  std::string version, common;
  std::uint64_t particles = 0;
  std::size_t record = 0;          ///< bytes
  std::vector<std::string> texts;  ///< program, comments, and further data
  std::vector<Field> fields;

 private:
  void bytes(char* to, std::size_t count) {
    constexpr std::size_t part = 1 << 20;
    while (count > 0) {
      const std::size_t got = file_.read(to, std::min(count, part));
      if (got == 0) file_.fail("it ends too early");
      to += got;
      count -= got;
    }
  }
  template <class T>
  T number() {
    T value;
    char raw[sizeof(T)];
    bytes(raw, sizeof(T));
    std::memcpy(&value, raw, sizeof(T));
    return value;
  }
  std::string text() {
    const auto size = number<std::uint32_t>();
    std::string value;
    constexpr std::uint32_t part = 1 << 20;  // a damaged length allocates no gigabytes
    for (std::uint32_t done = 0; done < size;) {
      const std::uint32_t next = std::min(part, size - done);
      value.resize(done + next);
      bytes(value.data() + done, next);
      done += next;
    }
    return value;
  }

  void set_fields(bool has_polarisation, bool is_single, bool has_weight, bool has_pdg,
                  bool has_flags) {
    const auto add = [&](const char* name, FieldType type) {
      const std::size_t offset = fields.empty() ? 0 : fields.back().offset + fields.back().size();
      fields.push_back({name, type, offset});
    };
    const FieldType real = is_single ? FieldType::float32 : FieldType::float64;
    if (has_polarisation)
      for (const char* name : {"polarisation x", "polarisation y", "polarisation z"})
        add(name, real);
    for (const char* name : {"position x", "position y", "position z", "first packed direction",
                             "second packed direction", "energy", "time"})
      add(name, real);
    if (has_weight) add("weight", real);
    if (has_pdg) add("PDG code", FieldType::int32);
    if (has_flags) add("user flags", FieldType::uint32);
    if (record != fields.back().offset + fields.back().size())
      file_.fail(fmt::format("its records have {} bytes; their contents need {}", record,
                             fields.back().offset + fields.back().size()));
  }

  PackedFile file_;
};

/// A value as a number, and as text that reads back exactly.
struct FieldValue {
  double number = 0;
  std::string text;
};

template <class T>
FieldValue value_of(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return {static_cast<double>(value), fmt::format("{}", value)};
}

FieldValue value_of(const Field& field, const char* record) {
  const char* at = record + field.offset;
  switch (field.type) {
    case FieldType::float32:
      return value_of<float>(at);
    case FieldType::float64:
      return value_of<double>(at);
    case FieldType::int32:
      return value_of<std::int32_t>(at);
    case FieldType::uint32:
      break;
  }
  return value_of<std::uint32_t>(at);
}

void compare_record(const ParticleList& list, std::uint64_t particle, const char* a, const char* b,
                    FileComparison& out) {
  for (std::size_t k = 0; k < list.fields.size(); ++k) {
    const Field& field = list.fields[k];
    if (std::memcmp(a + field.offset, b + field.offset, field.size()) == 0) continue;
    const FieldValue first = value_of(field, a), second = value_of(field, b);
    PropertyComparison& property = out.properties[k];
    ++property.different;
    const double difference = std::fabs(second.number - first.number);
    if (difference > property.largest) property.largest = difference;
    if (!out.difference)
      add_difference(
          out, {-1, "", fmt::format("particle {}", particle), field.name, first.text, second.text});
  }
}

}  // namespace

FileComparison compare_particle_lists(const std::string& first, const std::string& second) {
  FileComparison out{first, second, {}, {}, {}, {}};
  ParticleList a(first), b(second);
  out.contents = count_of(static_cast<long long>(a.particles), "particle");
  const auto differ = [&](const std::string& what, const std::string& x, const std::string& y) {
    if (x != y) out.unmatched.push_back(fmt::format("{}: {} and {}", what, excerpt(x), excerpt(y)));
  };
  differ("version", a.version, b.version);
  differ("what all particles share", a.common, b.common);
  differ("number of particles", fmt::format("{}", a.particles), fmt::format("{}", b.particles));
  for (std::size_t i = 0; i < std::max(a.texts.size(), b.texts.size()); ++i)
    differ("texts of the header", i < a.texts.size() ? a.texts[i] : "",
           i < b.texts.size() ? b.texts[i] : "");
  const auto has_same_name = [](const Field& x, const Field& y) {
    return x.name == y.name && x.type == y.type;
  };
  if (!std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                  has_same_name)) {
    out.unmatched.emplace_back("records with other contents");
    return out;
  }
  const std::uint64_t particles = std::min(a.particles, b.particles);
  for (const Field& field : a.fields)
    out.properties.push_back({field.name, static_cast<Index>(particles), 0, 0});
  constexpr std::uint64_t block = 4096;
  for (std::uint64_t at = 0; at < particles; at += block) {
    const std::uint64_t count = std::min(block, particles - at);
    const std::vector<char> x = a.records(count), y = b.records(count);
    if (x == y) continue;
    for (std::uint64_t i = 0; i < count; ++i)
      compare_record(a, at + i, x.data() + i * a.record, y.data() + i * a.record, out);
  }
  return out;
}

}  // namespace gsim::io
