#pragma once
// Properties of the terminal behind a file descriptor.

namespace gsim {

/// Whether file descriptor `fd` is a terminal.
bool is_terminal(int fd);
/// Whether `fd` is a terminal that interprets escape sequences: TERM is set, and not to "dumb".
bool can_redraw(int fd);
/// Whether to colour text on `fd`: can_redraw(fd), and NO_COLOR is unset or empty (no-color.org).
bool use_colour(int fd);
/// Columns of the terminal behind `fd`; 80 where the number is unknown.
int terminal_width(int fd);

}  // namespace gsim
