#include "gsim/core/log.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gsim {

namespace {

/// Length of the valid UTF-8 sequence that begins at text[i], 0 when there is none (RFC 3629).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char c = at(i);
  const std::size_t n = c < 0x80   ? 1
                        : c < 0xC2 ? 0
                        : c < 0xE0 ? 2
                        : c < 0xF0 ? 3
                        : c < 0xF5 ? 4
                                   : 0;
  if (n == 0 || i + n > text.size()) return 0;
  for (std::size_t k = 1; k < n; ++k) {
    if ((at(i + k) & 0xC0) != 0x80) return 0;
  }
  if (n > 2) {  // overlong forms, surrogates, beyond U+10FFFF
    const unsigned char second = at(i + 1);
    if ((c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) ||
        (c == 0xF0 && second < 0x90) || (c == 0xF4 && second > 0x8F)) {
      return 0;
    }
  }
  return n;
}

}  // namespace

bool is_terminal(int fd) { return ::isatty(fd) == 1; }

bool can_redraw(int fd) {
  const char* term = std::getenv("TERM");
  return is_terminal(fd) && term != nullptr && *term != '\0' && std::strcmp(term, "dumb") != 0;
}

bool use_colour(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && can_redraw(fd);
}

int terminal_width(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

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
    if (separator && line.empty() && !out.empty()) continue;  // it ends with the line before
    if (!line.empty()) line += ' ';
    line += word;
  }
  end_line();
  return out;
}

std::string visible(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t n = utf8_length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    const bool is_c1 = n == 2 && c == 0xC2 && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c == '\n') {
      out += "\\n";
    } else if (n == 0 || c < 0x20 || c == 0x7f) {
      out += fmt::format("\\x{:02x}", c);
    } else if (is_c1) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i + 1]));
    } else {
      out += text.substr(i, n);
    }
    i += std::max<std::size_t>(n, 1);
  }
  return out;
}

std::string visible_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += visible(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string shorten(std::string_view text, int columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (int width = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0u) != 0x80u;
    if (begins && width++ == columns - 1) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string shown(std::string_view text) { return shorten(visible(text), 60); }

std::string shown(std::span<const std::string> texts) {
  constexpr std::size_t most = 12;
  std::string out;
  for (const std::string& text : texts.first(std::min(most, texts.size())))
    out += (out.empty() ? "" : ", ") + shown(text);
  return texts.size() > most ? fmt::format("{} and {} more", out, texts.size() - most) : out;
}

std::string human_clock(double seconds) {
  if (!(seconds < 3.6e8)) return "–";
  const auto s = static_cast<std::int64_t>(seconds < 0 ? 0 : seconds + 0.5);
  if (s >= 3600) return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
  return fmt::format("{}:{:02}", s / 60, s % 60);
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
  while (bytes >= 999.5 && unit < 5) {
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

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t n = utf8_length(text, i);
    if (n == 0) {
      out += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (n == 1 && (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += text.substr(i, n);
    }
    i += n == 0 ? 1 : n;
  }
  return out + "\"";
}

std::string json_array(const std::vector<std::string>& elements) {
  return fmt::format("[{}]", fmt::join(elements, ","));
}

JsonLine::JsonLine(std::string_view event) {
  if (!event.empty()) field("event", event);
}
void JsonLine::key(std::string_view name) {
  if (text_.size() > 1) text_ += ",";
  text_ += json_quote(name) + ":";
}
JsonLine& JsonLine::field(std::string_view name, std::string_view value) {
  return raw(name, json_quote(value));
}
JsonLine& JsonLine::field(std::string_view name, double value) {
  return raw(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
}
JsonLine& JsonLine::field(std::string_view name, std::int64_t value) {
  return raw(name, fmt::format("{}", value));
}
JsonLine& JsonLine::field(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}
JsonLine& JsonLine::raw(std::string_view name, std::string_view json) {
  key(name);
  text_ += json;
  return *this;
}

}  // namespace gsim
