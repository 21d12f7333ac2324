#include "score_check.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "modules/transport/tallies/tally_plan.hpp"

namespace gsim::app {
namespace {

using transport::ScoreConfig;

/// responses_of() refuses what is not finite.
std::string problem_of(const ScoreConfig& score, const transport::TransportConfig& example) {
  const auto has_it = [&](const transport::TallyConfig& tally) {
    const auto& names = tally.score_names;
    return std::find(names.begin(), names.end(), score.name) != names.end();
  };
  const auto& tallies = example.tallies.tallies;
  if (std::none_of(tallies.begin(), tallies.end(), has_it))
    return fmt::format("no tally of its example has `{}`", score.name);
  const auto given = transport::responses_of(score, example.materials);
  if (given != transport::responses_of(score, example.materials))
    return fmt::format("`{}` gives other numbers when it is asked again", score.name);
  if (std::all_of(given.begin(), given.end(), [](double x) { return x == 0; }))
    return fmt::format("`{}` is 0 in all materials of its example", score.name);
  return {};
}

}  // namespace

std::string score_problem(const transport::ScoreKind& kind,
                          const transport::TransportConfig& example) {
  for (const ScoreConfig& score : example.tallies.scores) {
    if (score.kind != &kind) continue;
    if (std::string found = problem_of(score, example); !found.empty()) return found;
  }
  return {};
}

}  // namespace gsim::app
