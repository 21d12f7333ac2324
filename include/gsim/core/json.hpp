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
  /// With a field "event" when `event` is not empty.
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
  /// `json` is JSON already: an object or array.
  JsonLine& raw(std::string_view key, std::string_view json);
  std::string text() const { return text_ + "}"; }

 private:
  void key(std::string_view name);
  std::string text_ = "{";
};

/// `text` in quotes, escaped as JSON asks (RFC 8259); bytes that are not UTF-8 become U+FFFD.
std::string json_quote(std::string_view text);
/// "[a,b,c]" of elements that are JSON already.
std::string json_array(const std::vector<std::string>& elements);

}  // namespace gsim
