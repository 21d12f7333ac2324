#include "src/modules/pricing/greeks/rate_claim_changes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "src/modules/pricing/exercise/exercise_policy.hpp"

namespace gsim::pricing {
namespace {

constexpr std::size_t numbers_of_date = 3;

/// The numbers before the terms.
std::size_t header_of(const TradeSetup& claims) { return numbers_of_date * claims.records.size(); }
std::size_t numbers_of_term(const TradeSetup& claims) { return 1 + claims.assets.size(); }

/// The loading of a term on a factor.
double loading(const TradeSetup& claims, Index term, std::size_t factor) {
  return claims.numbers[header_of(claims) +
                        static_cast<std::size_t>(term) * numbers_of_term(claims) + 1 + factor];
}

bool has_same_structure(const TradeSetup& a, const TradeSetup& b) {
  return a.payoff == PayoffFormula::rate_claims && b.payoff == a.payoff && a.assets == b.assets &&
         a.records == b.records && a.numbers.size() == b.numbers.size() &&
         std::equal(a.numbers.begin(),
                    a.numbers.begin() + static_cast<std::ptrdiff_t>(header_of(a)),
                    b.numbers.begin());
}

using Claims = std::vector<const TradeSetup*>;

/// The claims of a trade: its own, or those of its exercise dates.
Claims claims_of(const TradeSetup& trade) {
  if (trade.exercise == nullptr) return {&trade};
  Claims list;
  for (const TradeSetup& value : trade.exercise->values) list.push_back(&value);
  return list;
}

/// By how much, relative to themselves, all loadings of the claims on each factor change; nothing
/// if they do not change in one proportion. `base[i]` becomes `bumped[i]`.
std::optional<std::vector<double>> change_of_loadings(const Claims& base, const Claims& bumped) {
  constexpr double rounding = 1e-12;  // of the largest loading; bumps have the size 2^-20
  for (std::size_t i = 0; i < base.size(); ++i)
    if (!has_same_structure(*base[i], *bumped[i])) return {};
  std::vector<double> changes;
  for (std::size_t factor = 0; factor < base.front()->assets.size(); ++factor) {
    double largest = 0, change = 0;
    const auto for_all = [&](const auto& use) {
      for (std::size_t i = 0; i < base.size(); ++i)
        for (Index t = 0; t < number_of_terms(*base[i]); ++t)
          use(loading(*base[i], t, factor), loading(*bumped[i], t, factor));
    };
    for_all([&](double h, double other) {
      if (!(std::fabs(h) > std::fabs(largest))) return;
      largest = h;
      change = (other - h) / h;
    });
    if (std::fabs(change) <= rounding) change = 0;
    bool is_common = true;
    for_all([&](double h, double other) {
      is_common = is_common && std::fabs(other - h * (1 + change)) <= rounding * std::fabs(largest);
    });
    if (!is_common) return {};
    changes.push_back(change);
  }
  return changes;
}

}  // namespace

Index number_of_terms(const TradeSetup& claims) {
  return static_cast<Index>((claims.numbers.size() - header_of(claims)) / numbers_of_term(claims));
}

double amount_of_term(const TradeSetup& claims, Index term) {
  return claims
      .numbers[header_of(claims) + static_cast<std::size_t>(term) * numbers_of_term(claims)];
}

bool add_changes_of_loadings(const TradeSetup& base, const TradeSetup& bumped, Index records,
                             AssetChanges& changes) {
  const Claims from = claims_of(base), to = claims_of(bumped);
  if (from.front()->payoff != PayoffFormula::rate_claims) return true;
  const auto loadings = change_of_loadings(from, to);
  if (!loadings) return false;
  for (std::size_t a = 0; a < loadings->size(); ++a) {
    if ((*loadings)[a] == 0) continue;
    if (changes[a]->tangent()) return false;
    changes[a] = std::make_shared<AssetChange>(changes[a]->with_slope((*loadings)[a], records));
  }
  return true;
}

}  // namespace gsim::pricing
