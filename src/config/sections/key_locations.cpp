// KeyLocations: the places of a table's keys, kept after the tree of the input is gone.

#include <algorithm>
#include <utility>
#include <vector>

#include "src/config/input/node.hpp"

namespace gsim {
namespace config_detail {

struct KeyPlace {
  std::string key;
  Place place;
  std::shared_ptr<const Source> source;  ///< keeps the text of `place` alive
};

struct TableKeys {
  std::string path;
  KeyPlace table;
  std::vector<KeyPlace> keys;
};

namespace {

KeyPlace place_of(const Node& node) {
  const Place& place = node.message_place();
  return {node.key, place, place.source == nullptr ? nullptr : place.source->shared_from_this()};
}

const KeyPlace* find(const TableKeys& table, std::string_view key) {
  const auto found = std::find_if(table.keys.begin(), table.keys.end(),
                                  [&](const KeyPlace& k) { return k.key == key; });
  return found == table.keys.end() ? nullptr : &*found;
}

}  // namespace
}  // namespace config_detail

KeyLocations::KeyLocations(const config_detail::Node& table) {
  auto keys = std::make_shared<config_detail::TableKeys>();
  keys->path = table.path();
  keys->table = config_detail::place_of(table);
  keys->keys.reserve(table.children.size());
  for (const auto& child : table.children) keys->keys.push_back(config_detail::place_of(*child));
  keys_ = std::move(keys);
}

bool KeyLocations::has(std::string_view key) const {
  return keys_ != nullptr && config_detail::find(*keys_, key) != nullptr;
}

SourceLocation KeyLocations::location(std::string_view key) const {
  if (keys_ == nullptr) return {};
  const config_detail::KeyPlace* found = key.empty() ? nullptr : config_detail::find(*keys_, key);
  return (found != nullptr ? found : &keys_->table)->place.location();
}

std::string KeyLocations::path() const { return keys_ == nullptr ? "" : keys_->path; }

void KeyLocations::fail(std::string_view key, const std::string& problem,
                        const std::string& suggestion) const {
  throw ConfigError(location(key), problem, suggestion);
}

}  // namespace gsim
