#pragma once
// Text files that are complete whenever they have their names.

#include <string>

namespace gsim {

/// Writes `text` to the new file `path`.partial and renames it to `path`, which it replaces.
/// IoError, without a partial file left, where that fails. A crash of the machine may lose the new
/// text.
void replace_file(const std::string& path, const std::string& text);

}  // namespace gsim
