#pragma once
// Writes JSON text.

#include <cstdint>
#include <cstdio>
#include <string>
#include <type_traits>

namespace ptxemu {

/// An object or array that is written from its start to its end.
class Json {
 public:
  Json& open(const std::string& key, char bracket) {
    name(key);
    text_ += bracket;
    first_ = true;
    return *this;
  }
  Json& close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
  }
  template <class T>
  Json& add(const std::string& key, T value) {
    name(key);
    if constexpr (std::is_same_v<T, bool>) {
      text_ += value ? "true" : "false";
    } else {
      char number[32];
      if constexpr (std::is_floating_point_v<T>)
        std::snprintf(number, sizeof number, "%.6g", value);
      else
        std::snprintf(number, sizeof number, "%llu", static_cast<unsigned long long>(value));
      text_ += number;
    }
    return *this;
  }
  Json& add_text(const std::string& key, const std::string& value) {
    name(key);
    quote(value);
    return *this;
  }
  Json& add_null(const std::string& key) {
    name(key);
    text_ += "null";
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  /// Writes the comma and the key; elements of arrays have none.
  void name(const std::string& key) {
    if (!first_) text_ += ',';
    first_ = false;
    if (key.empty()) return;
    quote(key);
    text_ += ':';
  }
  void quote(const std::string& value) {
    text_ += '"';
    for (const char c : value) {
      if (c == '"' || c == '\\') text_ += '\\';
      text_ += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    text_ += '"';
  }

  std::string text_;
  bool first_ = true;
};

}  // namespace ptxemu
