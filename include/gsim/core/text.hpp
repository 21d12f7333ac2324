#pragma once
// Text in messages: wrapping, escaping of control characters, numbers with units, plural forms.

#include <span>
#include <string>
#include <string_view>

namespace gsim {

/// Number of terminal columns of UTF-8 `text`: its code points, without escape sequences.
int display_width(std::string_view text);

/// Breaks `text` at spaces into lines of at most `width` columns, all but the first one indented by
/// `indent`; returns it unchanged if `width` is 0. A longer word gets a line of its own; a
/// separating "·" ends its line.
std::string wrap(std::string_view text, int width, int indent);

/// Escapes control characters and bytes that are not UTF-8 as in C (\x1b, \n), so that a terminal
/// displays `text` and interprets none of it.
std::string escape_controls(std::string_view text);
/// As escape_controls(), but line ends are kept.
std::string escape_controls_by_line(std::string_view text);
/// Truncates `text`, which must not contain escape sequences, to `columns` (at least 1) columns; a
/// truncated text ends with "…".
std::string shorten(std::string_view text, int columns);
/// A name, identifier or word of the user as quoted in messages: escape_controls(), truncated to 60
/// columns.
std::string excerpt(std::string_view text);
/// A list of names for messages, "A, B, C": at most a dozen, and the number of further ones.
std::string excerpt(std::span<const std::string> texts);

/// The plural of a regular English noun: "steps", "batches".
std::string plural(std::string_view noun);
/// A number and its noun: "1 step", "2 steps".
std::string count_of(long long n, std::string_view noun);

/// A duration in the form of a clock: "0:04", "12:31", "3:07:59"; "–" from 100 000 hours on and for
/// NaN.
std::string human_clock(double seconds);
/// A duration for sentences: "5.8 s", "12.0 min", "3.2 h", "4.5 days".
std::string human_duration(double seconds);
/// A number of bytes with a prefix of powers of 1000: "210 MB".
std::string human_bytes(double bytes);
/// A number with at most `digits` significant digits: "1.41e8", "412", "1.2e-3".
std::string human_number(double value, int digits = 3);

}  // namespace gsim
