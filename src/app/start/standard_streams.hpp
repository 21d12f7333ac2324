#pragma once
// What the operating system can do to a program through its streams and limits, made into errors
// that are told: nothing of it ends a run in silence.

#include <string>
#include <utility>

#include <fmt/format.h>

namespace gsim::app {

/// Before anything is opened or said: a standard stream that is closed gets a placeholder on which
/// writing fails, so that no file of the run takes its number; a write beyond `ulimit -f` is an
/// error and no signal.
void prepare_streams();

/// From now on a reader of stdout that goes away is an error of the next write, and no signal: for
/// commands that leave more than what they print.
void outlive_readers();

/// Prints to stdout. What it does not take is found by lost_output(), not thrown here.
void say_text(const std::string& text);
template <class... T>
void say(fmt::format_string<T...> format, T&&... values) {
  say_text(fmt::format(format, std::forward<T>(values)...));
}

/// Flushes stdout; empty when it has taken all that was written to it, else what is wrong and why.
std::string lost_output();

/// Writes to stderr what there is to say; a stderr that cannot take it is nobody to tell of it.
void say_aside(const std::string& text);

}  // namespace gsim::app
