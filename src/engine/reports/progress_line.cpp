#include "progress_line.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim::engine {
namespace {

constexpr int widest_bar = 31, narrowest_bar = 8;  // cells
constexpr int margin = 3;                          // columns left free, for "^C" and at the end

/// A bar of `cells` cells in half-cell steps.
std::string draw_bar(double fraction, int cells, bool colour) {
  const int halves = static_cast<int>(std::clamp(fraction, 0.0, 1.0) * (2 * cells));
  std::string done, rest;
  for (int i = 0; i < halves / 2; ++i) done += "━";
  if (halves % 2 != 0) done += "╸";
  for (int i = (halves + 1) / 2; i < cells; ++i) rest += colour ? "━" : "─";
  return colour ? "\x1b[32m" + done + "\x1b[90m" + rest + "\x1b[0m" : done + rest;
}

/// The items that are shown beside the percentage: the named one and all before it in this list.
enum Detail : int { nothing, time_left, counts, error, rate };

constexpr int widest_name = 20;  // columns

/// "712 of 1000 converged", "worst T00313 4.1 %", both or neither.
std::string targets(const Progress& p, Detail detail) {
  const Evaluation& e = p.evaluation;
  if (detail < counts || e.judged == 0) return {};
  std::string text;
  if (p.has_targets && e.judged > 1)
    text = fmt::format("{} of {} converged", e.converged, e.judged);
  if (detail >= error && std::isfinite(e.worst.error) && e.worst.error > 0) {
    text += fmt::format("{}worst {} {}", text.empty() ? "" : ", ",
                        shorten(escape_controls(e.worst.name), widest_name), error_text(e.worst));
  }
  return text;
}

std::string facts(const Progress& p, const std::string& item_name, Detail detail) {
  // 100 % only when it is reached
  const double percent = std::min(100 * p.fraction, p.fraction < 1 ? 99.0 : 100.0);
  std::string text = fmt::format("{:3.0f} %", percent);
  if (detail >= rate && p.rate > 0)
    text += fmt::format("  {} {}/s", human_number(p.rate), item_name);
  if (const std::string state = targets(p, detail); !state.empty()) text += "  " + state;
  if (detail >= time_left && std::isfinite(p.seconds_left))
    text += fmt::format("  {} left", human_clock(p.seconds_left));
  return text;
}

}  // namespace

std::string progress_facts(const Progress& progress, const std::string& item_name) {
  return facts(progress, item_name, rate);
}

std::string progress_bar(const Progress& progress, const std::string& item_name, int width,
                         bool colour) {
  for (const Detail detail : {rate, error, counts, time_left, nothing}) {
    const std::string text = facts(progress, item_name, detail);
    const int room = width - margin - 4 - display_width(text);
    if (room < narrowest_bar) continue;
    return fmt::format("  {}  {}", draw_bar(progress.fraction, std::min(room, widest_bar), colour),
                       text);
  }
  return width < margin + 5 ? "" : facts(progress, item_name, nothing);
}

}  // namespace gsim::engine
