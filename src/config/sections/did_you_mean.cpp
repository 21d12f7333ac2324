#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/text.hpp"

namespace gsim {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours
// each cost 1 (Boytsov 2011, "Indexing methods for approximate dictionary searching", section 2).
// Case is ignored, and `-` counts as `_`.
int distance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return lower(x == '-' ? '_' : x) == lower(y == '-' ? '_' : y);
  };
  std::vector<int> row_before_last(b.size() + 1), last_row(b.size() + 1), row(b.size() + 1);
  std::iota(last_row.begin(), last_row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last_row[j] + 1, row[j - 1] + 1, last_row[j - 1] + !same(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        row[j] = std::min(row[j], row_before_last[j - 2] + 1);
    }
    row_before_last.swap(last_row);
    last_row.swap(row);
  }
  return last_row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  constexpr std::size_t max_length =
      100;  // longer words are not compared, since the time is quadratic
  if (word.empty() || word.size() > max_length) return {};
  std::string best;
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > max_length || candidate == word) continue;
    // Words of up to three letters that begin differently are no misspellings: "gpu" and "cpu".
    if (word.size() <= 3 && candidate.size() <= 3 && lower(word[0]) != lower(candidate[0]))
      continue;
    const int d = distance(word, candidate);
    // a word of d letters at distance d has no letter in common
    if (d < best_distance && d < static_cast<int>(std::max(word.size(), candidate.size()))) {
      best = candidate;
      best_distance = d;
    }
  }
  if (!best.empty()) return best;
  // the known word that equals the last part of the word, if there is only one: `lattice_constant`
  for (const std::string& candidate : known) {
    if (candidate.size() < 3 || !word.ends_with("_" + candidate)) continue;
    if (!best.empty()) return {};
    best = candidate;
  }
  if (!best.empty()) return best;
  // an abbreviation or a lengthening of exactly one known word: `vol` for `volatility`
  for (const std::string& candidate : known) {
    const auto shorter = std::min(word.size(), candidate.size());
    const bool prefix =
        shorter >= 3 &&
        std::equal(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(shorter),
                   candidate.begin(), [](char x, char y) { return lower(x) == lower(y); });
    if (!prefix || candidate == word) continue;
    if (!best.empty()) return {};
    best = candidate;
  }
  return best;
}

std::string suggest_known(std::string_view word, std::span<const std::string> known,
                          std::string_view what) {
  const std::string closest = did_you_mean(word, known);
  if (closest.empty() && what == "there are" && known.size() < 2)
    return known.empty() ? "there are none" : fmt::format("there is only `{}`", excerpt(known));
  return closest.empty() ? fmt::format("{} {}", what, excerpt(known))
                         : fmt::format("did you mean `{}`?", excerpt(closest));
}

}  // namespace gsim
