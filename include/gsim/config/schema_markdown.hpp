#pragma once
// The reference of all keys of a configuration as a document.

#include <string>

#include "gsim/config/section.hpp"

namespace gsim {

/// The schema, in Markdown, of the keys that `describe` declares: a heading for each table of the
/// configuration, and below it a table with key, type, range, default and meaning of each key. Keys
/// that exist only for one value of another key have a heading of their own.
std::string schema_markdown(const Section::Describe& describe, const std::string& title);

}  // namespace gsim
