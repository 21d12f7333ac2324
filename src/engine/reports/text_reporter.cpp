// Progress and results as text: a bar that is redrawn on a terminal, occasional lines elsewhere.

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/digest.hpp"
#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"
#include "progress_line.hpp"
#include "reporter.hpp"
#include "table.hpp"

namespace gsim::engine {
namespace {

constexpr double seconds_between_lines = 10;

class TextReporter : public Reporter {
 public:
  explicit TextReporter(bool bar) : bar_(bar), colour_(use_colour(STDOUT_FILENO)) {}
  ~TextReporter() override { erase_bar(); }  // an error message gets a line of its own
  TextReporter(const TextReporter&) = delete;
  TextReporter& operator=(const TextReporter&) = delete;

  void start(const RunRequest& request, const WorkPlan& plan) override {
    plan_ = plan;
    print_line(fmt::format("gsim {} · {}", build_info().version, request.platform));
    print_line(fmt::format("config  {}   module {}   seed {}", request.config_name,
                           request.options.module, request.options.seed));
    print_line(fmt::format("work    {}{}stops at {}", plan.summary,
                           plan.summary.empty() ? "" : " · ",
                           describe_stop(request.options.stop, plan)));
    print("\n");
    flush();
  }

  void resumed(const OpenCheckpoint& from) override {
    print("resume  from {}, {} {}\n\n", from.path, plan_.unit_name, from.units_done);
  }

  void progress(const Progress& p) override {
    if (!bar_ && since_line_.seconds() < seconds_between_lines) return;
    since_line_.restart();
    if (bar_) {
      print("\r{}\x1b[K", progress_bar(p, plan_.item_name, terminal_width(STDOUT_FILENO), colour_));
      bar_shown_ = true;
    } else {
      print("  {}\n", progress_facts(p, plan_.item_name));
    }
    flush();
  }

  void checkpoint(const std::string& path, Index done) override {
    if (bar_) return;
    print("  checkpoint {}, {} {}\n", path, plan_.unit_name, done);
    flush();
  }

  void end(const Ending& e, const RegionTimer& timer) override {
    erase_bar();
    if (!e.outcome->result_path.empty()) results(e);
    if (e.is_partial) partial_results(e);
    if (const std::string shortfall = shortfall_in_words(e, plan_); !shortfall.empty())
      print_line(shortfall);
    if (!e.why.empty()) print_line(e.why);
    times(e.seconds, timer);
    balance(e.loop);
    flush();
  }

 private:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    out_.write(fmt::format(format, std::forward<T>(values)...));
  }
  /// Prints a line, wrapped to the width of the terminal.
  void print_line(const std::string& line) {
    print("{}\n", wrap(escape_controls_by_line(line), bar_ ? terminal_width(STDOUT_FILENO) : 0, 8));
  }
  void flush() { out_.flush(); }
  void erase_bar() {
    if (bar_shown_) print("\r\x1b[K"), flush();
    bar_shown_ = false;
  }

  void results(const Ending& e) {
    print("{}", format_table(e.report));
    if (e.report.rows_left_out > 0)
      print_line(fmt::format("… and {} more in the result file", e.report.rows_left_out));
    const auto& footer = e.report.footer;
    for (std::size_t i = 0; i + 1 < footer.size(); ++i) print_line(footer[i]);
    print_line(fmt::format("{}digest {} · {}", footer.empty() ? "" : footer.back() + " · ",
                           hex(e.outcome->digest, 12), e.outcome->result_path));
    if (const std::string& former = e.outcome->backup_path; !former.empty())
      print_line(fmt::format("the earlier results of that name are kept as {}", former));
  }

  void partial_results(const Ending& e) {
    print_line(
        fmt::format("partial results at {} {} of {}; they depend on where the run was stopped",
                    plan_.unit_name, e.outcome->units_done, plan_.total_units));
    print("{}", format_table(e.report));
    if (e.report.rows_left_out > 0)
      print_line(
          fmt::format("… and {} more, which no file holds yet: the result file is written when the "
                      "run, resumed from its checkpoint, ends",
                      e.report.rows_left_out));
    for (const std::string& line : e.report.footer) print_line(line);
  }

  void times(double total, const RegionTimer& timer) {
    const auto is_shown = [](double seconds) { return seconds >= 0.05; };  // not shown as 0.0
    std::string parts;
    double other = total;
    for (const auto& [name, seconds, waited] : timer.regions()) {
      if (!is_shown(seconds)) continue;  // it is included in "other"
      parts += fmt::format("   {} {:.1f}", name, seconds);
      other -= seconds;
    }
    if (!parts.empty() && is_shown(other)) parts += fmt::format("   other {:.1f}", other);
    print_line(fmt::format(
        "time  {}{}",
        is_shown(total) ? human_duration(total) : fmt::format("{:.0f} ms", 1e3 * total), parts));
  }

  /// The load imbalance of several ranks, which bounds the gain by better balance.
  void balance(const RankTimes& loop) {
    const double loop_seconds = loop.busy.mean + loop.waiting.mean;
    if (loop.ranks < 2 || !(loop_seconds >= 0.05)) return;
    print_line(
        fmt::format("busy  {:.1f} s of the loop's {:.1f} s on average over ranks ({:.1f} to "
                    "{:.1f}): {:.0f} % of "
                    "perfect balance",
                    loop.busy.mean, loop_seconds, loop.busy.min, loop.busy.max,
                    100 * loop.busy.mean / loop_seconds));
  }

  StandardOutput out_;
  bool bar_, colour_, bar_shown_ = false;
  WorkPlan plan_;
  Stopwatch since_line_;
};

}  // namespace

std::unique_ptr<Reporter> make_text_reporter(bool bar) {
  return std::make_unique<TextReporter>(bar);
}

}  // namespace gsim::engine
