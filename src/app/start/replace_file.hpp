#pragma once
// Text files that are complete whenever they have their names.

#include <string>

namespace gsim::app {

/// Writes `text` to `path`.partial and renames it to `path`, which it replaces. IoError, without a
/// partial file left, where that fails.
void replace_file(const std::string& path, const std::string& text);

}  // namespace gsim::app
