#include <cstdlib>
#include <string_view>
#include <vector>

#include <gsim/config/section.hpp>
#include <gsim/engine/plugin.hpp>
#include <gsim/pricing/payoff_kind.hpp>

GSIM_DECLARE_PAYOFF(european_copy)
GSIM_DECLARE_PAYOFF(asian_copy)
GSIM_DECLARE_PAYOFF(log_sum)

namespace {
using namespace gsim;
using namespace gsim::pricing;

std::vector<double> describe(Section& s, const PayoffTrade& trade) {
  static constexpr std::string_view words[] = {"call", "put"};
  int type = 0;
  double strike = 0;
  s.required_word("type", type, words, {.doc = "the right to buy or to sell"});
  s.required("strike", strike, {.doc = "strike price", .minimum = 0});
  const auto fixings = static_cast<double>(trade.fixings.size());
  return {type == 0 ? 1.0 : -1.0, strike, s.describing() ? 0 : 1 / fixings};
}

std::vector<double> describe_none(Section&, const PayoffTrade&) { return {}; }

void add(Registry& registry) {
  // What door.py asks for to go wrong.
  const char* wish = std::getenv("COPIES");
  const std::string_view fault = wish != nullptr ? wish : "";
  registry.extend(PayoffKind{.name = fault == "taken" ? "asian" : "european_copy",
                             .doc = "as european",
                             .describe = describe,
                             .launchers = GSIM_PAYOFF(european_copy)});
  registry.extend(PayoffKind{.name = "asian_copy",
                             .doc = "as asian",
                             .dates = PayoffDates::schedule,
                             .describe = describe,
                             .launchers = GSIM_PAYOFF(asian_copy)});
  registry.extend(PayoffKind{.name = "log_sum",
                             .doc = "the sum of logarithms",
                             .dates = PayoffDates::schedule,
                             .reads_logs = true,
                             .describe = fault == "incomplete" ? nullptr : describe_none,
                             .launchers = GSIM_PAYOFF(log_sum)});
}

}  // namespace

GSIM_PLUGIN("copies", "1", "MIT", "payoffs that gsim has already", add)
