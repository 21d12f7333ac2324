#pragma once
// Reads the file of a plugin before any of its code runs.

#include <optional>
#include <string_view>

#include "gsim/engine/plugin_loader.hpp"

namespace gsim::engine {

/// The section of an ELF file with that name; nothing where there is none, or the file is no ELF
/// file of 64 bits, or its tables lie outside of it.
std::optional<std::string_view> elf_section(std::string_view bytes, std::string_view name);

/// Whether an ELF file contains all segments of its header: the dynamic linker crashes on a
/// truncated file.
bool is_whole_elf(std::string_view bytes);

/// The fingerprint of a plugin's file, which is in a section of its own; InputError unless the file
/// is a complete plugin with a compatible fingerprint. `path` is for messages.
std::vector<FingerprintField> checked_fingerprint(std::string_view bytes, const std::string& path);

}  // namespace gsim::engine
