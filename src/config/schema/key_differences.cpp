#include "gsim/config/key_differences.hpp"

#include <map>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace gsim {
namespace {

using KeyValue = std::pair<std::string, std::string>;

/// A table of a configuration: its header, and its keys with their values.
struct Table {
  std::string path;         ///< "market.assets.SPX"; empty: the top level
  bool is_element = false;  ///< of an array of tables
  std::vector<KeyValue> keys;
};

std::vector<Table> tables_of(std::string_view text) {
  std::vector<Table> tables(1);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("[[")) {
      tables.push_back({std::string(line.substr(2, line.find("]]") - 2)), true, {}});
    } else if (line.starts_with('[')) {
      tables.push_back({std::string(line.substr(1, line.size() - 2)), false, {}});
    } else if (const std::size_t equals = line.find(" = "); equals != std::string_view::npos) {
      tables.back().keys.emplace_back(line.substr(0, equals), line.substr(equals + 3));
    }
  }
  return tables;
}

/// The name of an element of an array: the value of its `id` or `name`, or its number.
std::string name_of(const Table& table, int number) {
  for (const auto& [key, value] : table.keys)
    if ((key == "id" || key == "name") && value.size() > 2)
      return value.substr(1, value.size() - 2);  // without quotation marks
  return fmt::format("{}", number);
}

/// All keys with their full names, in order.
std::vector<KeyValue> keys_of(std::string_view text) {
  std::vector<KeyValue> all;
  std::map<std::string, std::pair<int, std::string>> arrays;  // elements so far, name of the last
  for (const Table& table : tables_of(text)) {
    std::string path;
    for (std::size_t begin = 0; begin < table.path.size();) {
      const std::size_t end = std::min(table.path.find('.', begin), table.path.size());
      const std::string part = table.path.substr(begin, end - begin);
      path += (path.empty() ? "" : ".") + part;
      const std::string array = path;
      if (end == table.path.size() && table.is_element) {
        auto& [count, name] = arrays[array];
        name = name_of(table, ++count);
      }
      if (const auto found = arrays.find(array); found != arrays.end())
        path += "[" + found->second.second + "]";
      begin = end + 1;
    }
    for (const auto& [key, value] : table.keys)
      all.emplace_back(path.empty() ? key : fmt::format("{}.{}", path, key), value);
  }
  return all;
}

}  // namespace

std::vector<KeyDifference> key_differences(std::string_view first, std::string_view second) {
  const std::vector<KeyValue> a = keys_of(first), b = keys_of(second);
  std::unordered_map<std::string, std::string> values, left(b.begin(), b.end());
  values = left;
  std::vector<KeyDifference> differences;
  for (const auto& [key, value] : a) {
    const auto found = values.find(key);
    if (found == values.end()) {
      differences.push_back({key, value, ""});
    } else {
      if (found->second != value) differences.push_back({key, value, found->second});
      left.erase(key);
    }
  }
  for (const auto& [key, value] : b)
    if (left.contains(key)) differences.push_back({key, "", value});
  return differences;
}

}  // namespace gsim
