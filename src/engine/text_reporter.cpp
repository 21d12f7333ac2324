// Progress and results for people: a bar that is redrawn on a terminal, a line now and then
// elsewhere.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/log.hpp"
#include "reporter.hpp"
#include "table.hpp"

namespace gsim::engine {
namespace {

constexpr double seconds_between_lines = 10;
constexpr int bar_cells = 31;

/// A bar of `bar_cells` cells in half-cell steps.
std::string draw_bar(double fraction, bool colour) {
  const int halves = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * (2 * bar_cells));
  std::string done, rest;
  for (int i = 0; i < halves / 2; ++i) done += "━";
  if (halves % 2 != 0) done += "╸";
  for (int i = (halves + 1) / 2; i < bar_cells; ++i) rest += "━";
  return colour ? "\x1b[32m" + done + "\x1b[90m" + rest + "\x1b[0m" : done + rest;
}

class TextReporter : public Reporter {
 public:
  explicit TextReporter(bool bar) : bar_(bar), colour_(use_colour(STDOUT_FILENO)) {}

  void start(const RunRequest& request, const WorkPlan& plan) override {
    plan_ = plan;
    label_ = request.options.module;
    say("gsim {} · {}\n", build_info().version, request.platform);
    say("config  {}   module {}   seed {}\n", request.config_name, label_, request.options.seed);
    say("work    {}{}stops at {}\n\n", plan.summary, plan.summary.empty() ? "" : " · ",
        describe_stop(request.options.stop, plan));
    flush();
  }

  void resumed(const OpenCheckpoint& from) override {
    say("resume  from {}, {} {}\n\n", from.path, plan_.unit_name, from.units_done);
  }

  void progress(const Progress& p) override {
    if (!bar_ && since_line_.seconds() < seconds_between_lines) return;
    since_line_.restart();
    std::string facts = fmt::format("{:3.0f} %", 100 * p.fraction);
    if (p.rate > 0) facts += fmt::format("  {} {}/s", human_number(p.rate), plan_.rate_name);
    if (p.worst_error > 0 && std::isfinite(p.worst_error)) {
      facts += fmt::format("  worst {}error {}", p.relative ? "" : "absolute ",
                           human_number(p.worst_error, 2));
    }
    if (std::isfinite(p.seconds_left))
      facts += fmt::format("  {} left", human_clock(p.seconds_left));
    if (!bar_) return say("  {}  {}\n", label_, facts), flush();
    const std::string before = fmt::format("  {}  ", label_);
    const int room = terminal_width(STDOUT_FILENO) - display_width(before) - display_width(facts);
    const bool fits = room > bar_cells + 2;
    say("\r{}{}{}\x1b[K", before, fits ? draw_bar(p.fraction, colour_) + "  " : "", facts);
    bar_shown_ = true;
    flush();
  }

  void checkpoint(const std::string& path, Index done) override {
    if (bar_) return;
    say("  checkpoint {}, {} {}\n", path, plan_.unit_name, done);
    flush();
  }

  void end(const Ending& e, const RegionTimer& timer) override {
    if (bar_shown_) say("\n");
    if (!e.outcome->result_path.empty()) results(e);
    if (!e.why.empty()) say("{}\n", e.why);
    times(e.seconds, timer);
    flush();
  }

 private:
  template <class... T>
  void say(fmt::format_string<T...> format, T&&... values) {
    fmt::print(stdout, format, std::forward<T>(values)...);
  }
  void flush() { std::fflush(stdout); }

  void results(const Ending& e) {
    if (bar_shown_) say("\n");
    say("{}", format_table(e.report));
    const auto& footer = e.report.footer;
    for (std::size_t i = 0; i + 1 < footer.size(); ++i) say("{}\n", footer[i]);
    say("{}digest {} · {}\n", footer.empty() ? "" : footer.back() + " · ",
        hex(e.outcome->digest, 12), e.outcome->result_path);
  }

  void times(double total, const RegionTimer& timer) {
    const auto tell = [](double seconds) { return seconds >= 0.05; };  // 0.0 says nothing
    std::string parts;
    double other = total;
    for (const auto& [name, seconds] : timer.regions()) {
      if (!tell(seconds)) continue;  // it stands in "other"
      parts += fmt::format("   {} {:.1f}", name, seconds);
      other -= seconds;
    }
    if (!parts.empty() && tell(other)) parts += fmt::format("   other {:.1f}", other);
    say("time  {}{}\n", tell(total) ? human_duration(total) : fmt::format("{:.0f} ms", 1e3 * total),
        parts);
  }

  bool bar_, colour_, bar_shown_ = false;
  WorkPlan plan_;
  std::string label_;
  Stopwatch since_line_;
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(bool bar) {
  return std::make_unique<TextReporter>(bar);
}

}  // namespace gsim::engine
