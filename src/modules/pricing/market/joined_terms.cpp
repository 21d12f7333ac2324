#include "src/modules/pricing/market/joined_terms.hpp"

#include <algorithm>
#include <cmath>

namespace gsim::pricing {

std::vector<RateTerm> joined_terms(std::vector<RateTerm> terms) {
  constexpr double same_loading = 1e-12, rounding = 1e-14;
  std::sort(terms.begin(), terms.end(), [](const RateTerm& a, const RateTerm& b) {
    return a.loading != b.loading ? a.loading < b.loading : a.second_loading < b.second_loading;
  });
  std::vector<RateTerm> list;
  double largest = 0;
  for (const RateTerm& term : terms) {
    largest = std::fmax(largest, std::fabs(term.amount));
    if (!list.empty() && std::fabs(term.loading - list.back().loading) <= same_loading &&
        std::fabs(term.second_loading - list.back().second_loading) <= same_loading)
      list.back().amount += term.amount;
    else
      list.push_back(term);
  }
  std::erase_if(list, [&](const RateTerm& t) { return std::fabs(t.amount) <= rounding * largest; });
  return list;
}

}  // namespace gsim::pricing
