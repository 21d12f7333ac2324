// Section: what concerns more than single values (renamed keys and words, tables that are skipped,
// the conversion of dates).

#include <fmt/format.h>

#include "reading.hpp"

namespace gsim {
namespace {

void mark_consumed(config_detail::Node& node) {
  node.consumed = true;
  for (const auto& child : node.children) mark_consumed(*child);
}

std::string renamed_message(std::string_view old_name, std::string_view new_name) {
  return fmt::format("`{}` was renamed to `{}`", old_name, new_name);
}

}  // namespace

void Section::ignore_unread() const {
  if (node_ != nullptr) mark_consumed(*node_);
}

void Section::read_dates_with(DateReader reader) {
  if (node_ == nullptr) return;
  config_detail::Node* root = node_;
  while (root->parent != nullptr) root = root->parent;
  root->date_reader = std::make_shared<const DateReader>(std::move(reader));
}

void Section::renamed(std::string_view old_key, std::string_view new_key) const {
  config_detail::Node* node = node_ == nullptr ? nullptr : node_->find(old_key);
  if (node == nullptr) return;
  mark_consumed(*node);  // so that the message does not call it an unknown key as well
  throw ConfigError(node->key_place.location(), renamed_message(old_key, new_key));
}

void Section::renamed_word(std::string_view key, std::string_view old_word,
                           std::string_view new_word) const {
  const config_detail::Node* node = node_ == nullptr ? nullptr : node_->find(key);
  const bool is_word = node != nullptr && (node->kind == config_detail::Kind::text ||
                                           node->kind == config_detail::Kind::cell);
  if (is_word && node->text == old_word) fail(key, renamed_message(old_word, new_word));
}

}  // namespace gsim
