#include "gsim/core/json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace gsim {

struct Json::Value {
  nlohmann::ordered_json json;
};

Json::Json() : value_(std::make_unique<Value>()) {}
Json::Json(bool value) : value_(std::make_unique<Value>(Value{value})) {}
Json::Json(int value) : value_(std::make_unique<Value>(Value{value})) {}
Json::Json(std::int64_t value) : value_(std::make_unique<Value>(Value{value})) {}
Json::Json(std::string_view value) : value_(std::make_unique<Value>(Value{std::string(value)})) {}

Json::Json(double value) : Json() {
  constexpr double largest_integer = 1e15;
  if (!std::isfinite(value)) return;
  if (value == std::floor(value) && std::fabs(value) < largest_integer)
    value_->json = static_cast<std::int64_t>(value);  // 3, not 3.0
  else
    value_->json = value;
}

Json Json::object() {
  Json result;
  result.value_->json = nlohmann::ordered_json::object();
  return result;
}

Json Json::array() {
  Json result;
  result.value_->json = nlohmann::ordered_json::array();
  return result;
}

Json Json::event(std::string_view name) {
  Json result = object();
  result.set("event", name);
  return result;
}

Json::~Json() = default;
Json::Json(const Json& other) : value_(std::make_unique<Value>(*other.value_)) {}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) {
  if (this != &other) *value_ = *other.value_;
  return *this;
}
Json& Json::operator=(Json&& other) noexcept = default;

Json& Json::set(std::string_view key, const Json& value) {
  value_->json[std::string(key)] = value.value_->json;
  return *this;
}

Json& Json::push(const Json& value) {
  value_->json.push_back(value.value_->json);
  return *this;
}

std::string Json::text(int indent) const {
  return value_->json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gsim
