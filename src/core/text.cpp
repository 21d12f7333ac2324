#include "gsim/core/text.hpp"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "gsim/core/utf8.hpp"

namespace gsim {

int display_width(std::string_view text) {
  int width = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\x1b') {
      escape = true;
    } else if (escape) {
      escape = c != 'm';
    } else if ((static_cast<unsigned char>(c) & 0xC0u) != 0x80u) {
      ++width;
    }
  }
  return width;
}

std::string wrap(std::string_view text, int width, int indent) {
  if (width <= 0) return std::string(text);
  std::string out, line;
  const auto end_line = [&] {
    line.erase(line.find_last_not_of(' ') + 1);
    if (!out.empty()) out += "\n" + std::string(static_cast<std::size_t>(indent), ' ');
    out += line;
    line.clear();
  };
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    const int room = width - (out.empty() ? 0 : indent);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > room) end_line();
    const bool separator = word.empty() || word == "·";
    if (separator && line.empty() && !out.empty()) continue;  // the line break separates
    if (!line.empty()) line += ' ';
    line += word;
  }
  end_line();
  return out;
}

std::string escape_controls(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = decode_utf8(text.substr(i));
    const auto n = static_cast<std::size_t>(character.bytes);
    const auto c = static_cast<unsigned char>(text[i]);
    // C1 control characters (U+0080 to U+009F) have two bytes in UTF-8.
    const bool is_c1 = character.code >= 0x80 && character.code < 0xA0;
    if (c == '\n') {
      out += "\\n";
    } else if (!character.valid || c < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", c);
    } else if (is_c1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + 1]));
    } else {
      out += text.substr(i, n);
    }
    i += n;
  }
  return out;
}

std::string escape_controls_by_line(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += escape_controls(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shorten(std::string_view text, int columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (int width = 0; end < text.size(); ++end) {
    const bool begins_character = (static_cast<unsigned char>(text[end]) & 0xC0u) != 0x80u;
    if (begins_character && width++ == columns - 1) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string excerpt(std::string_view text) { return shorten(escape_controls(text), 60); }

std::string excerpt(std::span<const std::string> texts) {
  constexpr std::size_t max_texts = 12;
  std::string out;
  for (const std::string& text : texts.first(std::min(max_texts, texts.size())))
    out += (out.empty() ? "" : ", ") + excerpt(text);
  return texts.size() > max_texts ? fmt::format("{} and {} more", out, texts.size() - max_texts)
                                  : out;
}

std::string human_clock(double seconds) {
  if (!(seconds < 3.6e8)) return "–";  // NaN, or more than 100000 hours
  const auto s = static_cast<std::int64_t>(seconds < 0 ? 0 : seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string plural(std::string_view noun) {
  const bool plural_in_es =
      noun.ends_with("ch") || noun.ends_with("sh") || noun.ends_with('s') || noun.ends_with('x');
  return std::string(noun) + (plural_in_es ? "es" : "s");
}

std::string count_of(long long n, std::string_view noun) {
  return std::to_string(n) + " " + (n == 1 ? std::string(noun) : plural(noun));
}

std::string human_duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.1f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.1f} min", seconds / 60);
  if (seconds < 48 * 3600.0) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string human_bytes(double bytes) {
  static constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 5) {  // would be printed as 1000
    bytes /= 1000;
    ++unit;
  }
  return unit > 0 && bytes < 9.95 ? fmt::format("{:.1f} {}", bytes, units[unit])
                                  : fmt::format("{:.0f} {}", bytes, units[unit]);
}

std::string human_number(double value, int digits) {
  std::string text = fmt::format("{:.{}g}", value, digits);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  std::string exponent = text.substr(e + 1);
  const bool negative = exponent[0] == '-';
  exponent.erase(0, exponent.find_first_not_of("+-0"));
  return text.substr(0, e + 1) + (negative ? "-" : "") + exponent;
}

}  // namespace gsim
