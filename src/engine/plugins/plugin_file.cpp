#include "plugin_file.hpp"

#include <cstdint>
#include <cstring>

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/plugin.hpp"

namespace gsim::engine {
namespace {

/// The header of a 64-bit ELF file, and its tables.
struct Elf {
  std::string_view bytes;
  Elf64_Ehdr header{};
  bool is_elf = false;

  explicit Elf(std::string_view all) : bytes(all) {
    if (bytes.size() < sizeof header) return;
    std::memcpy(&header, bytes.data(), sizeof header);
    is_elf = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
             header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_phentsize == sizeof(Elf64_Phdr);
  }
  bool contains(std::uint64_t offset, std::uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  /// The element `number` of a table that starts at `offset`.
  template <class T>
  T at(std::uint64_t offset, std::uint64_t number) const {
    T value{};
    std::memcpy(&value, bytes.data() + offset + sizeof value * number, sizeof value);
    return value;
  }
};

}  // namespace

bool is_whole_elf(std::string_view bytes) {
  const Elf elf(bytes);
  const Elf64_Ehdr& h = elf.header;
  if (!elf.is_elf || !elf.contains(h.e_phoff, std::uint64_t{h.e_phnum} * sizeof(Elf64_Phdr)) ||
      !elf.contains(h.e_shoff, std::uint64_t{h.e_shnum} * h.e_shentsize))
    return false;
  for (int i = 0; i < h.e_phnum; ++i) {
    const auto segment = elf.at<Elf64_Phdr>(h.e_phoff, static_cast<std::uint64_t>(i));
    if (!elf.contains(segment.p_offset, segment.p_filesz)) return false;
  }
  return true;
}

std::optional<std::string_view> elf_section(std::string_view bytes, std::string_view name) {
  const Elf elf(bytes);
  const Elf64_Ehdr& h = elf.header;
  if (!elf.is_elf || h.e_shentsize != sizeof(Elf64_Shdr) || h.e_shstrndx >= h.e_shnum ||
      !elf.contains(h.e_shoff, std::uint64_t{h.e_shnum} * sizeof(Elf64_Shdr)))
    return std::nullopt;
  const auto names = elf.at<Elf64_Shdr>(h.e_shoff, h.e_shstrndx);
  if (!elf.contains(names.sh_offset, names.sh_size)) return std::nullopt;
  const std::string_view texts = bytes.substr(names.sh_offset, names.sh_size);
  for (std::uint64_t i = 0; i < h.e_shnum; ++i) {
    const auto section = elf.at<Elf64_Shdr>(h.e_shoff, i);
    if (section.sh_name >= texts.size() || section.sh_type == SHT_NOBITS ||
        !elf.contains(section.sh_offset, section.sh_size))
      continue;
    const std::string_view rest = texts.substr(section.sh_name);
    if (rest.substr(0, rest.find('\0')) == name)
      return bytes.substr(section.sh_offset, section.sh_size);
  }
  return std::nullopt;
}

std::vector<FingerprintField> checked_fingerprint(std::string_view bytes, const std::string& path) {
  const auto section = elf_section(bytes, GSIM_PLUGIN_SECTION);
  // Truncated files, and plugins of versions of gsim without this section, get a message of their
  // own; they are not loaded.
  auto fields = fingerprint_in(section.value_or(bytes));
  GSIM_VALIDATE(!fields.empty(), fmt::format("{} is no gsim plugin", path),
                "name a shared object that gsim_add_plugin() built");
  const auto lines = differences(fields, own_fingerprint());
  if (!lines.empty()) {
    throw InputError(
        fmt::format("plugin {} was built for another gsim\n       {}\n"
                    "       build it again with this gsim's CMake package and compiler",
                    path, fmt::join(lines, "\n       ")));
  }
  GSIM_VALIDATE(is_whole_elf(bytes), fmt::format("plugin {} is cut off", path),
                "copy or build it again");
  GSIM_VALIDATE(section.has_value(),
                fmt::format("plugin {} has no section {}", path, GSIM_PLUGIN_SECTION),
                "add GSIM_PLUGIN(…) to one of its sources (gsim/engine/plugin.hpp)");
  return fields;
}

}  // namespace gsim::engine
