#pragma once
// Type, range and length of a key, as the printed forms of the schema write them.

#include <string>

#include "schema.hpp"

namespace gsim::config_detail {

/// The type of a value: "number", "strings", or the permitted words, `"auto" | "cpu"`.
std::string schema_type(const SchemaEntry& entry);

/// The range of a number: "(0, 1]", ">= 0"; empty where every number is permitted.
std::string schema_range(const KeyInfo& info);

/// The permitted lengths of a list, " (2 to 1000 elements)"; empty where every length is.
std::string schema_size(const KeyInfo& info);

}  // namespace gsim::config_detail
