#include "report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/json.hpp"
#include "gsim/core/text.hpp"

namespace gsim::app {
namespace {

constexpr const char* kGreen = "\033[32m";
constexpr const char* kRed = "\033[31m";
constexpr const char* kPlain = "\033[0m";

/// "-" where there is no standard error and only the tolerance is used.
std::string z_text(double z) { return std::isfinite(z) ? fmt::format("{:+.1f}", z) : "-"; }

/// A line about an exact value: its difference and the tolerance.
std::string exact_line(const CaseOutcome& o, const std::string& mark) {
  std::string line = fmt::format(
      "  {:<34} {:>18.13g}   reference {:<18.13g} Δ {:.1e}, tolerance {:.1e}   {}", o.name,
      o.computed, o.reference, std::fabs(o.computed - o.reference), o.tolerance, mark);
  if (!o.passed) line += "   " + o.reason;
  return line;
}

double rounded(double value, double unit) { return std::round(value / unit) * unit; }

Json json_of(const CaseOutcome& o) {
  Json json =
      Json::object()
          .set("set", o.set)
          .set("case", o.name)
          .set("computed", o.computed)
          .set("standard_error", o.standard_error)
          .set("degrees_of_freedom", o.degrees_of_freedom > 0 ? Json(o.degrees_of_freedom) : Json())
          .set("reference", o.reference)
          .set("published", o.has_published ? Json(o.published) : Json())
          .set("tolerance", o.tolerance)
          .set("bias_bound", o.bias_bound)
          .set("z", o.z)
          .set("score", o.score)
          .set("samples", o.samples)
          .set("seconds", rounded(o.seconds, 1e-3))
          .set("in_chi_square", o.in_chi_square)
          .set("passed", o.passed)
          .set("reason", o.reason)
          .set("citation", o.citation)
          .set("check", o.check);
  if (o.reference_error > 0) json.set("reference_error", o.reference_error);
  if (o.floor > 0) json.set("floor", o.floor);
  if (o.is_exact) json.set("exact", true);
  return json;
}

}  // namespace

Index ValidationReport::passed_count() const {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const CaseOutcome& o) { return o.passed; });
}

bool ValidationReport::passed() const {
  return passed_count() == cases && chi_square(outcomes).passed;
}

std::string set_heading(const CaseSet& set) {
  const std::string heading = fmt::format("  {}: {}", set.title, set.citation);
  return set.check.empty() ? heading : fmt::format("{}\n    reference: {}", heading, set.check);
}

std::string outcome_line(const CaseOutcome& o, bool colour) {
  const std::string mark =
      colour ? fmt::format("{}{}{}", o.passed ? kGreen : kRed, o.passed ? "✔" : "✘", kPlain)
             : (o.passed ? "✔" : "✘");
  if (o.is_exact) return exact_line(o, mark);
  std::string line =
      fmt::format("  {:<34} {:>12.7g} ± {:<8.2g} reference {:<14.11g} z {:>5}   {}", o.name,
                  o.computed, o.standard_error, o.reference, z_text(o.z), mark);
  if (o.has_published) line += fmt::format("   published {:.10g}", o.published);
  if (o.reference_error > 0)
    line += fmt::format("   error of the reference {:.2g}", o.reference_error);
  if (o.bias_bound > 0) line += fmt::format("   bias ≤ {:.2g}", o.bias_bound);
  if (!o.passed) line += "   " + o.reason;
  return line;
}

std::string progress_line(const ValidationReport& report, const std::string& set, double seconds,
                          double cpu_seconds) {
  Index cases = 0, passed = 0;
  for (const CaseOutcome& o : report.outcomes)
    if (o.set == set) ++cases, passed += o.passed;
  return fmt::format("    {}: {} of {} passed, {}, CPU {}; {} of {} cases done", set, passed, cases,
                     human_duration(seconds), human_duration(cpu_seconds), report.outcomes.size(),
                     report.cases);
}

std::string summary(const ValidationReport& report) {
  const ChiSquare chi = chi_square(report.outcomes);
  std::string text = fmt::format("  {} of {}, chi² {:.1f} / {}, p {:.2g}", report.passed_count(),
                                 report.cases, chi.value, chi.degrees_of_freedom, chi.p_value);
  // Scores that are not finite are ignored here; as the largest they would hide all others.
  const auto finite_score = [](const CaseOutcome& o) {
    return std::isfinite(o.score) ? std::fabs(o.score) : -1.0;
  };
  const auto worst = std::max_element(
      report.outcomes.begin(), report.outcomes.end(),
      [&](const auto& a, const auto& b) { return finite_score(a) < finite_score(b); });
  if (worst != report.outcomes.end() && !worst->is_exact)
    text += fmt::format(", worst z {} ({}: {})", z_text(worst->z), worst->set, worst->name);
  text += fmt::format(", {}, CPU {}", human_duration(report.seconds),
                      human_duration(report.cpu_seconds));
  for (const CaseOutcome& o : report.outcomes)
    if (!o.passed) text += fmt::format("\n  not passed: {}: {}: {}", o.set, o.name, o.reason);
  if (!chi.passed)
    text +=
        "\n  not passed: the chi-square is improbable: errors are stated too small or too large";
  if (!report.is_complete())
    text += fmt::format("\n  interrupted: {} cases were not done",
                        report.cases - static_cast<Index>(report.outcomes.size()));
  return text;
}

std::string validation_json(const ValidationReport& report) {
  const ChiSquare chi = chi_square(report.outcomes);
  Json cases = Json::array();
  for (const CaseOutcome& o : report.outcomes) cases.push(json_of(o));
  return Json::object()
             .set("module", report.module)
             .set("level", report.level)
             .set("passed", report.passed())
             .set("complete", report.is_complete())
             .set("cases_planned", report.cases)
             .set("seconds", rounded(report.seconds, 0.1))
             .set("cpu_seconds", rounded(report.cpu_seconds, 0.1))
             .set("chi_square", Json::object()
                                    .set("value", chi.value)
                                    .set("degrees", chi.degrees_of_freedom)
                                    .set("p_value", chi.p_value)
                                    .set("passed", chi.passed))
             .set("cases", cases)
             .text(2) +
         "\n";
}

}  // namespace gsim::app
