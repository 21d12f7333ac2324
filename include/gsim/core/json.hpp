#pragma once
// Writing of JSON (RFC 8259).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gsim {

/// One JSON object, built field by field: JsonLine("progress").field("done", 3).text().
class JsonLine {
 public:
  /// Starts with a field "event" if `event` is not empty.
  explicit JsonLine(std::string_view event = {});
  JsonLine& field(std::string_view key, std::string_view value);
  JsonLine& field(std::string_view key, const char* value) {
    return field(key, std::string_view(value));
  }
  JsonLine& field(std::string_view key, double value);  ///< shortest round-trip; null if not finite
  JsonLine& field(std::string_view key, std::int64_t value);
  JsonLine& field(std::string_view key, int value) {
    return field(key, static_cast<std::int64_t>(value));
  }
  JsonLine& field(std::string_view key, bool value);
  /// Adds a field whose value is JSON already: an object or array.
  JsonLine& raw(std::string_view key, std::string_view json);
  std::string text() const { return text_ + "}"; }

 private:
  void key(std::string_view name);
  std::string text_ = "{";
};

/// `text` as a JSON string; bytes that are not UTF-8 become U+FFFD.
std::string json_quote(std::string_view text);
/// The array "[a,b,c]" of elements that are JSON already.
std::string json_array(const std::vector<std::string>& elements);

}  // namespace gsim
