#include "reading_display.hpp"

#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/json.hpp"
#include "gsim/core/reading_progress.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/timer.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

constexpr double quiet_seconds = 2;      // of reading, before anything is shown
constexpr double seconds_per_event = 2;  // with JSON
constexpr double seconds_per_redraw = 0.2;

// The display of one run of the program.
class Display {
 public:
  explicit Display(bool json) : json_(json) {}
  ~Display() {
    if (is_shown_) print_out("\r\x1b[K");
  }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  void show(const ReadingProgress& p) {
    const bool is_due = since_start_.seconds() >= quiet_seconds &&
                        (!is_shown_before_ ||
                         since_last_.seconds() >= (json_ ? seconds_per_event : seconds_per_redraw));
    if (json_) {
      if (is_due)
        print_out("{}\n", Json::event("reading")
                              .set("file", p.file)
                              .set("rows_done", p.rows_done)
                              .set("rows", p.rows)
                              .text());
    } else if (is_due) {
      print_out("\r{}\x1b[K",
                shorten(escape_controls(reading_text(p.file, static_cast<double>(p.rows_done),
                                                     static_cast<double>(p.rows))),
                        terminal_width(STDOUT_FILENO)));
      is_shown_ = true;
    }
    if (!is_due) return;
    is_shown_before_ = true;
    since_last_.restart();
    std::fflush(stdout);
  }

 private:
  bool json_, is_shown_ = false, is_shown_before_ = false;
  Stopwatch since_start_, since_last_;
};

}  // namespace

std::string reading_text(const std::string& file, double done, double all) {
  if (all >= 1e6)
    return fmt::format("reading {}: {:.1f} of {:.1f} million rows", file, done / 1e6, all / 1e6);
  return fmt::format("reading {}: {:.0f} of {:.0f} rows", file, done, all);
}

ReadingDisplay::ReadingDisplay(bool is_printing, LogStyle style) {
  const bool json = style == LogStyle::json;
  const bool on_terminal = style == LogStyle::automatic && can_redraw(STDOUT_FILENO);
  if (!is_printing || (!json && !on_terminal)) return;
  const auto display = std::make_shared<Display>(json);
  set_reading_observer([display](const ReadingProgress& p) { display->show(p); });
}

ReadingDisplay::~ReadingDisplay() { set_reading_observer({}); }

}  // namespace gsim::app
