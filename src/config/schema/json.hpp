#pragma once
// Just enough JSON to write a schema.

#include <string>
#include <utility>
#include <vector>

namespace gsim::config_detail {

class Json {
 public:
  /// `text` that is JSON already: a number, true, a quoted string, a list of those.
  static Json raw(std::string text);
  static Json string(std::string_view text);
  static Json number(double value);
  static Json object() { return Json(Kind::object); }
  static Json array() { return Json(Kind::array); }

  /// Adds or replaces a member of an object; returns it.
  Json& set(const std::string& name, Json value);
  /// The member of that name, or null.
  const Json* find(const std::string& name) const;
  /// Appends to an array.
  void push(Json value) { elements_.push_back(std::move(value)); }
  bool empty() const { return members_.empty() && elements_.empty() && text_.empty(); }
  const std::vector<std::pair<std::string, Json>>& members() const { return members_; }

  /// Indented text, members in the order in which they were set.
  std::string print(int indent = 0) const;
  friend bool operator==(const Json&, const Json&) = default;

 private:
  enum class Kind { raw, object, array };
  explicit Json(Kind kind) : kind_(kind) {}
  Kind kind_;
  std::string text_ = {};
  std::vector<std::pair<std::string, Json>> members_ = {};
  std::vector<Json> elements_ = {};
};

}  // namespace gsim::config_detail
