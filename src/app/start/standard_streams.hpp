#pragma once
// Conditions of standard streams and file limits that would end a program silently become errors
// with messages.

#include <string>
#include <utility>

#include <fmt/format.h>

namespace gsim::app {

/// Called before any file is opened: a closed standard stream is replaced by a placeholder on which
/// writing fails, so that no file of the run gets its descriptor; a write beyond `ulimit -f`
/// becomes an error instead of a signal.
void prepare_streams();

/// After this call a write to a pipe that nobody reads any more fails instead of ending the process
/// by a signal: for commands that also write files.
void ignore_broken_pipes();

/// Prints to stdout. Errors are not thrown here but found by output_problem().
void print_text(const std::string& text);
template <class... T>
void print_out(fmt::format_string<T...> format, T&&... values) {
  print_text(fmt::format(format, std::forward<T>(values)...));
}

/// Flushes stdout; returns an empty text when all output was written, else the problem and its
/// reason.
std::string output_problem();

/// Writes to stderr; errors of stderr are ignored.
void print_to_stderr(const std::string& text);

}  // namespace gsim::app
