#include "json.hpp"

#include "src/config/sections/toml_text.hpp"

namespace gsim::config_detail {

Json Json::raw(std::string text) {
  Json json(Kind::raw);
  json.text_ = std::move(text);
  return json;
}

// TOML's basic strings and finite numbers are written as JSON writes them.
Json Json::string(std::string_view text) { return raw(toml_value(std::string(text))); }
Json Json::number(double value) { return raw(plain_number(value)); }

Json& Json::set(const std::string& name, Json value) {
  for (auto& [key, member] : members_)
    if (key == name) return member = std::move(value);
  return members_.emplace_back(name, std::move(value)).second;
}

const Json* Json::find(const std::string& name) const {
  for (const auto& [key, member] : members_)
    if (key == name) return &member;
  return nullptr;
}

std::string Json::print(int indent) const {
  if (kind_ == Kind::raw) return text_;
  const bool is_object = kind_ == Kind::object;
  if (members_.empty() && elements_.empty()) return is_object ? "{}" : "[]";
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string out;
  const auto line = [&](const std::string& name, const Json& value) {
    out += out.empty() ? "\n" : ",\n";
    out += margin + "  " + name + value.print(indent + 2);
  };
  for (const auto& [key, member] : members_) line(toml_value(key) + ": ", member);
  for (const Json& element : elements_) line("", element);
  return (is_object ? "{" : "[") + out + "\n" + margin + (is_object ? "}" : "]");
}

}  // namespace gsim::config_detail
