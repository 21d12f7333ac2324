#pragma once
// Text for people and for programs: terminals, human numbers, JSON lines. Nothing here decides
// what is said; it only makes it look the same everywhere.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gsim {

/// Whether file descriptor `fd` is a terminal.
bool is_terminal(int fd);
/// Whether `fd` is a terminal that obeys escape sequences: TERM is set, and not to "dumb".
bool can_redraw(int fd);
/// Whether to colour text on `fd`: such a terminal, and NO_COLOR unset or empty (no-color.org).
bool use_colour(int fd);
/// Columns of the terminal behind `fd`; 80 where that is unknown.
int terminal_width(int fd);

/// Columns that UTF-8 `text` takes on a terminal: code points, escape sequences left out.
int display_width(std::string_view text);

/// `text` broken at spaces into lines of at most `width` columns, all but the first one indented;
/// as it is where `width` is 0. A longer word stands alone; a separating "·" ends with its line.
std::string wrap(std::string_view text, int width, int indent);

/// `text` so that a terminal shows it all and obeys none of it: control characters and bytes that
/// are not UTF-8 are written as in C, \x1b, \n.
std::string visible(std::string_view text);
/// The same line by line: line ends stay.
std::string visible_lines(std::string_view text);
/// `text`, which holds no escape sequences, cut to `columns` (at least 1) columns, the last one
/// being "…" then.
std::string shorten(std::string_view text, int columns);
/// `text` that a user chose (a name, an id, a word), as messages quote it: visible(), 60 columns at
/// most.
std::string shown(std::string_view text);
/// Some of them, "A, B, C": a dozen at most, and how many more there are.
std::string shown(std::span<const std::string> texts);

/// "0:04", "12:31", "3:07:59".
std::string human_clock(double seconds);
/// "5.8 s", "12 min", "3.2 h": for sentences.
std::string human_duration(double seconds);
/// "210 MB", in powers of 1000.
std::string human_bytes(double bytes);
/// "1.41e8", "412", "1.2e-3": three digits at most, exponent without padding.
std::string human_number(double value, int digits = 3);

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
