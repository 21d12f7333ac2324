#pragma once
// Type, range and length of a key, and the tables within a table, as the printed forms of the
// schema write them.

#include <functional>
#include <string>

#include "schema.hpp"

namespace gsim::config_detail {

/// The type of a value: "number", "strings", or the permitted words, `"auto" | "cpu"`.
std::string schema_type(const SchemaEntry& entry);

/// The range of a number: "(0, 1]", ">= 0"; empty where every number is permitted.
std::string schema_range(const KeyInfo& info);

/// Prints a table: its keys, its path ("grid.x"), its header ("[grid.x]") and its documentation.
using PrintTable = std::function<void(const SchemaNode& keys, const std::string& path,
                                      const std::string& header, const std::string& doc)>;

/// Calls `print` for each table within the table at `path`, those of its alternatives included, in
/// the order in which they are described.
void print_inner_tables(const SchemaNode& node, const std::string& path, const PrintTable& print);

/// The permitted lengths of a list, " (2 to 1000 elements)"; empty where every length is permitted.
std::string schema_size(const KeyInfo& info);

}  // namespace gsim::config_detail
