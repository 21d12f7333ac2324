#include "fatbin/cubin.hpp"

#include <cstring>
#include <vector>

#include <elf.h>

#include "reader/error.hpp"

namespace ptxemu {
namespace {

/// Attributes of section .nv.info, an undocumented list of (format, attribute, size or value).
constexpr std::uint8_t format_sized = 4;
constexpr std::uint8_t attribute_frame_size = 0x11, attribute_min_stack_size = 0x12,
                       attribute_registers = 0x2f;
constexpr std::size_t instruction_bytes = 16;

template <class T>
T read(std::string_view data, std::size_t at) {
  T value;
  if (at > data.size() || sizeof value > data.size() - at)
    throw PtxError("a cubin of the fat binary is damaged");
  std::memcpy(&value, data.data() + at, sizeof value);
  return value;
}

class Cubin {
 public:
  explicit Cubin(std::string_view file) : file_(file), header_(read<Elf64_Ehdr>(file, 0)) {
    if (std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0 ||
        header_.e_ident[EI_CLASS] != ELFCLASS64)
      throw PtxError("a cubin of the fat binary is not an ELF file of 64 bits");
    for (std::size_t n = 0; n < header_.e_shnum; ++n)
      sections_.push_back(read<Elf64_Shdr>(file, header_.e_shoff + n * header_.e_shentsize));
  }

  std::map<std::string, KernelResources> kernels() const {
    std::map<std::string, KernelResources> result;
    for (const Elf64_Shdr& section : sections_) {
      const std::string name = name_of(section);
      if (name.rfind(".text.", 0) == 0) {
        KernelResources& kernel = result[name.substr(6)];
        // Before ELF ABI version 8, the upper 8 bits of sh_info are the number of registers.
        kernel.registers = section.sh_info >> 24;
        kernel.instructions = count_instructions(contents(section));
      } else if (name.rfind(".nv.shared.", 0) == 0 && name != ".nv.shared.reserved.0") {
        result[name.substr(11)].shared = static_cast<std::uint32_t>(section.sh_size);
      }
    }
    for (const Elf64_Shdr& section : sections_)
      if (name_of(section) == ".nv.info") read_sizes(contents(section), result);
    return result;
  }

 private:
  std::string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > file_.size() || section.sh_size > file_.size() - section.sh_offset)
      throw PtxError("a cubin of the fat binary is damaged");
    return file_.substr(section.sh_offset, section.sh_size);
  }
  static std::string text_at(std::string_view strings, std::size_t at) {
    if (at >= strings.size()) return "";
    return std::string(strings.substr(at, strings.find('\0', at) - at));
  }
  std::string name_of(const Elf64_Shdr& section) const {
    return text_at(contents(sections_.at(header_.e_shstrndx)), section.sh_name);
  }
  std::string symbol_name(std::uint32_t number) const {
    for (const Elf64_Shdr& section : sections_)
      if (section.sh_type == SHT_SYMTAB) {
        const auto symbol =
            read<Elf64_Sym>(contents(section), number * std::size_t{section.sh_entsize});
        return text_at(contents(sections_.at(section.sh_link)), symbol.st_name);
      }
    return "";
  }

  /// Instructions before the padding: NOP (operation code 0x918 in the lowest 12 bits) and the
  /// branch to itself before it.
  static std::uint32_t count_instructions(std::string_view code) {
    std::size_t count = code.size() / instruction_bytes;
    while (count > 0 &&
           (read<std::uint16_t>(code, (count - 1) * instruction_bytes) & 0xfffu) == 0x918u)
      --count;
    return static_cast<std::uint32_t>(count);
  }

  /// Reads registers and stack sizes from .nv.info: pairs of symbol and number.
  void read_sizes(std::string_view info, std::map<std::string, KernelResources>& kernels) const {
    for (std::size_t at = 0; at + 4 <= info.size();) {
      const auto format = read<std::uint8_t>(info, at);
      const auto attribute = read<std::uint8_t>(info, at + 1);
      const std::size_t size = format == format_sized ? read<std::uint16_t>(info, at + 2) : 0;
      if (size == 8) {
        const auto found = kernels.find(symbol_name(read<std::uint32_t>(info, at + 4)));
        const auto number = read<std::uint32_t>(info, at + 8);
        if (found != kernels.end()) set(found->second, attribute, number);
      }
      at += 4 + size;
    }
  }
  static void set(KernelResources& kernel, std::uint8_t attribute, std::uint32_t number) {
    if (attribute == attribute_registers) kernel.registers = number;
    if (attribute == attribute_frame_size) kernel.frame = number;
    if (attribute == attribute_min_stack_size) kernel.stack = number;
  }

  std::string_view file_;
  Elf64_Ehdr header_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

std::map<std::string, KernelResources> read_cubin(std::string_view file) {
  return Cubin(file).kernels();
}

}  // namespace ptxemu
