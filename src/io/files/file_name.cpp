#include "gsim/io/file_name.hpp"

namespace gsim {
namespace {

bool is_allowed(char c) {
  const auto byte = static_cast<unsigned char>(c);
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || byte >= 0x80 ||
         std::string_view(".-+=_").find(c) != std::string_view::npos;
}

}  // namespace

std::string sanitize_file_name(std::string_view name) {
  std::string text;
  text.reserve(name.size());
  bool has_pending_underscore = false;
  for (const char c : name) {
    if (!is_allowed(c)) {
      has_pending_underscore = true;
      continue;
    }
    if (has_pending_underscore && !text.empty() && text.back() != '_' && c != '_') text += '_';
    has_pending_underscore = false;
    text += c;
  }
  return text.empty() ? "_" : text;
}

}  // namespace gsim
