#include "reporter.hpp"

#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "gsim/core/terminal.hpp"
#include "gsim/core/text.hpp"

namespace gsim::engine {
namespace {

/// "2^24" for powers of two from 2^10 on, else the number.
std::string count_text(Index n) {
  const auto u = static_cast<std::uint64_t>(n);
  return n >= 1024 && std::has_single_bit(u) ? fmt::format("2^{}", std::countr_zero(u))
                                             : fmt::format("{}", n);
}

/// "1e-3", "2.5e-4", "0.05": a target as people write it.
std::string target_text(double target) {
  std::string text = fmt::format("{:.4g}", target);
  if (target < 0.01) text = fmt::format("{:.4e}", target);
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return text;
  std::string digits = text.substr(0, e);
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return fmt::format("{}e{}", digits, std::stoi(text.substr(e + 1)));
}

/// "288 of 1000 trades have not converged; the worst is T00313 with 4.1 %".
std::string unconverged_in_words(const Evaluation& e, const std::string& noun) {
  const bool is_known = std::isfinite(e.worst.error);
  if (e.judged == 0) return "the run ended before its targets were met";
  if (e.judged == 1)
    return fmt::format("{} has not converged: its error is {}", excerpt(e.worst.name),
                       error_text(e.worst));
  const Index missing = e.judged - e.converged;
  return fmt::format("{} of {} {} {} not converged; the worst is {}{}", missing, e.judged,
                     plural(noun), missing == 1 ? "has" : "have", excerpt(e.worst.name),
                     is_known ? " with " + error_text(e.worst) : ", whose error is unknown");
}

}  // namespace

void StandardOutput::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) report_write_error();
}

void StandardOutput::flush() {
  if (std::fflush(stdout) != 0) report_write_error();
}

void StandardOutput::report_write_error() {
  const std::string text =
      fmt::format("warning: cannot write to stdout: {}; the run continues\n", std::strerror(errno));
  if (!has_failed_) std::fputs(text.c_str(), stderr);
  has_failed_ = true;
}

std::string describe_stop(const StopRule& stop, const WorkPlan& plan) {
  std::vector<std::string> parts;
  if (stop.relative_error > 0)
    parts.push_back("relative error " + target_text(stop.relative_error));
  if (stop.absolute_error > 0)
    parts.push_back("absolute error " + target_text(stop.absolute_error));
  const Index samples =
      stop.max_samples > 0 ? stop.max_samples : plan.total_units * plan.samples_per_unit;
  parts.push_back(
      samples > 0 ? count_text(samples) + " samples"
                  : fmt::format("{} {}", count_text(plan.total_units),
                                plan.total_units == 1 ? plan.unit_name : plural(plan.unit_name)));
  if (stop.wall_time > 0) parts.push_back(human_duration(stop.wall_time));
  return fmt::format("{}", fmt::join(parts, " or "));
}

std::string error_text(const JudgedError& error) {
  if (!std::isfinite(error.error)) return "unknown";
  return error.is_relative ? human_number(100 * error.error, 2) + " %"
                           : human_number(error.error, 2);
}

std::string shortfall_in_words(const Ending& ending, const WorkPlan& plan) {
  if (ending.outcome->result_path.empty()) return {};
  std::vector<std::string> parts;
  if (ending.has_targets && ending.outcome->reason != StopReason::converged)
    parts.push_back(unconverged_in_words(ending.evaluation, plan.estimate_name));
  if (const std::size_t n = plan.skipped.size(); n > 0)
    parts.push_back(
        fmt::format("{} {} skipped because of bad data", n,
                    n == 1 ? plan.estimate_name + " was" : plural(plan.estimate_name) + " were"));
  if (ending.outcome->misses_targets)
    parts.push_back(
        fmt::format("exit code {} (stop.require_converged)", static_cast<int>(exit_unconverged)));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::unique_ptr<Reporter> make_reporter(LogStyle style, bool root) {
  if (!root || style == LogStyle::quiet) return std::make_unique<Reporter>();
  if (style == LogStyle::json) return make_json_reporter();
  return make_text_reporter(style == LogStyle::automatic && can_redraw(STDOUT_FILENO));
}

}  // namespace gsim::engine
