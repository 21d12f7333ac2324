#include "score_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "example.hpp"
#include "gsim/transport/score_kind.hpp"
#include "src/modules/transport/tallies/tally_plan.hpp"

namespace gsim::transport {
namespace {

/// The problem of a score; empty: none. responses_of() throws where responses are not finite.
std::string score_problem(const ScoreConfig& score, const TransportConfig& example) {
  const auto has_score = [&](const TallyConfig& tally) {
    return std::ranges::find(tally.scores, score.name, &ScoreConfig::name) != tally.scores.end();
  };
  const auto& tallies = example.tallies.tallies;
  if (std::none_of(tallies.begin(), tallies.end(), has_score))
    return fmt::format("no tally of its example has `{}`", score.name);
  const auto responses = responses_of(score, example.materials);
  if (responses != responses_of(score, example.materials))
    return fmt::format("`{}` gives other numbers when it is evaluated again", score.name);
  if (std::all_of(responses.begin(), responses.end(), [](double x) { return x == 0; }))
    return fmt::format("`{}` is 0 in all materials of its example", score.name);
  return {};
}

}  // namespace

void check_score(const ConformanceSubject& subject, const ReportFinding& report) {
  report_problem(report, "has finite, reproducible and non-zero responses", [&]() -> std::string {
    const TransportConfig example = read_example(subject);
    for (const ScoreConfig& score : example.tallies.scores) {
      if (score.kind != &subject.part_as<ScoreKind>()) continue;
      if (std::string found = score_problem(score, example); !found.empty()) return found;
    }
    return {};
  });
}

void register_score_check(Registry& registry);
void register_score_check(Registry& registry) {
  registry.extend(ConformanceCheck{.module = "transport",
                                   .name = "responses_of_scores",
                                   .doc = "has finite, reproducible and non-zero responses",
                                   .kind = ScoreKind::extends,
                                   .check = check_score});
}

}  // namespace gsim::transport
