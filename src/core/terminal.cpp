#include "gsim/core/terminal.hpp"

#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace gsim {

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

}  // namespace gsim
