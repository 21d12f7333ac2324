#pragma once
// What the bytes of a plugin's file say before any of its code runs.

#include <optional>
#include <string_view>

#include "gsim/engine/plugin_loader.hpp"

namespace gsim::engine {

/// The section of an ELF file with that name; nothing where there is none, or the file is no ELF
/// file of 64 bits, or its tables lie outside of it.
std::optional<std::string_view> elf_section(std::string_view bytes, std::string_view name);

/// Whether all that an ELF file's header and segments speak of is there: the dynamic linker crashes
/// on the rest of a copy that was interrupted.
bool is_whole_elf(std::string_view bytes);

/// The fingerprint of a plugin's file, which stands in a section of its own; InputError unless the
/// file is a whole plugin whose fingerprint goes with this gsim's. `path` is for messages.
std::vector<FingerprintField> sound_fingerprint(std::string_view bytes, const std::string& path);

}  // namespace gsim::engine
