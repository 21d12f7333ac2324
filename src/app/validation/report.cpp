#include "report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/log.hpp"

namespace gsim::app {
namespace {

constexpr const char* kGreen = "\033[32m";
constexpr const char* kRed = "\033[31m";
constexpr const char* kPlain = "\033[0m";

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{:.12g}", value) : "null";
}

Index passed_count(const std::vector<CaseOutcome>& outcomes) {
  return std::count_if(outcomes.begin(), outcomes.end(),
                       [](const CaseOutcome& o) { return o.passed; });
}

}  // namespace

std::string outcome_line(const CaseOutcome& o, bool colour) {
  const std::string mark =
      colour ? fmt::format("{}{}{}", o.passed ? kGreen : kRed, o.passed ? "✔" : "✘", kPlain)
             : (o.passed ? "✔" : "✘");
  std::string line =
      fmt::format("  {:<34} {:>12.7g} ± {:<8.2g} reference {:<14.11g} z {:>+5.1f}   {}", o.name,
                  o.computed, o.standard_error, o.reference, o.z, mark);
  if (o.has_published) line += fmt::format("   printed {:.10g}", o.published);
  if (o.bias_bound > 0) line += fmt::format("   bias ≤ {:.2g}", o.bias_bound);
  if (!o.passed) line += "   " + o.reason;
  return line;
}

std::string summary_line(const std::vector<CaseOutcome>& outcomes, const ChiSquare& chi) {
  return fmt::format("{} of {}, chi² {:.1f} / {}, p {:.2g}", passed_count(outcomes),
                     outcomes.size(), chi.value, chi.degrees, chi.p_value);
}

std::string validation_json(const std::string& module, const std::string& level,
                            const std::vector<CaseOutcome>& outcomes, const ChiSquare& chi) {
  std::string rows;
  for (const CaseOutcome& o : outcomes)
    rows += fmt::format(
        "{}    {{\"set\": {}, \"case\": {}, \"computed\": {}, \"standard_error\": {}, "
        "\"reference\": {}, \"published\": {}, \"tolerance\": {}, \"bias_bound\": {}, \"z\": {}, "
        "\"samples\": {}, \"seconds\": {}, \"in_chi_square\": {}, \"passed\": {}, \"reason\": {}, "
        "\"citation\": {}}}",
        rows.empty() ? "" : ",\n", json_quote(o.set), json_quote(o.name), number(o.computed),
        number(o.standard_error), number(o.reference),
        o.has_published ? number(o.published) : "null", number(o.tolerance), number(o.bias_bound),
        number(o.z), number(o.samples), fmt::format("{:.3f}", o.seconds), o.in_chi_square, o.passed,
        json_quote(o.reason), json_quote(o.citation));
  const bool all = passed_count(outcomes) == static_cast<Index>(outcomes.size()) && chi.passed;
  return fmt::format(
      "{{\n  \"module\": {}, \"level\": {}, \"passed\": {},\n"
      "  \"chi_square\": {{\"value\": {}, \"degrees\": {}, \"p_value\": {}, \"passed\": {}}},\n"
      "  \"cases\": [\n{}\n  ]\n}}\n",
      json_quote(module), json_quote(level), all, number(chi.value), chi.degrees,
      number(chi.p_value), chi.passed, rows);
}

}  // namespace gsim::app
