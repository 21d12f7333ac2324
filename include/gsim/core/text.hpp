#pragma once
// Text in messages: wrapping, escaping of control characters, numbers with units for people.

#include <span>
#include <string>
#include <string_view>

namespace gsim {

/// Columns that UTF-8 `text` takes on a terminal: code points, escape sequences left out.
int display_width(std::string_view text);

/// `text` broken at spaces into lines of at most `width` columns, all but the first one indented;
/// as it is where `width` is 0. A longer word stands alone; a separating "·" ends with its line.
std::string wrap(std::string_view text, int width, int indent);

/// `text` so that a terminal shows it all and obeys none of it: control characters and bytes that
/// are not UTF-8 are written as in C, \x1b, \n.
std::string escape_controls(std::string_view text);
/// The same line by line: line ends stay.
std::string escape_controls_by_line(std::string_view text);
/// `text`, which holds no escape sequences, cut to `columns` (at least 1) columns, the last one
/// being "…" then.
std::string shorten(std::string_view text, int columns);
/// `text` that a user chose (a name, an id, a word), as messages quote it: escape_controls(), 60
/// columns at most.
std::string excerpt(std::string_view text);
/// Some of them, "A, B, C": a dozen at most, and how many more there are.
std::string excerpt(std::span<const std::string> texts);

/// "0:04", "12:31", "3:07:59".
std::string human_clock(double seconds);
/// "5.8 s", "12 min", "3.2 h": for sentences.
std::string human_duration(double seconds);
/// "210 MB", in powers of 1000.
std::string human_bytes(double bytes);
/// "1.41e8", "412", "1.2e-3": three digits at most, exponent without padding.
std::string human_number(double value, int digits = 3);

}  // namespace gsim
