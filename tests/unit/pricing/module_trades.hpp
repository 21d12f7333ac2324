#pragma once
// Trades for tests of the whole module, and checks of their prices.

#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/module_run.hpp"

namespace gsim::pricing::test {

inline const Estimate& find(const ModuleResult& r, const std::string& id) {
  for (const Estimate& e : r.estimates)
    if (e.name == id) return e;
  throw Error("no trade " + id);
}

/// Checks a price within four standard errors plus the uncertainty of the reference.
inline void check_price(const ModuleResult& r, const std::string& id, double value,
                        double tolerance) {
  CAPTURE(id);
  const Estimate& e = find(r, id);
  CAPTURE(e.mean);
  CAPTURE(e.standard_error);
  CAPTURE(value);
  CHECK(std::fabs(e.mean - value) <= 4 * e.standard_error + tolerance);
  CHECK(e.standard_error > 0);
  CHECK(e.standard_error < 0.02 * std::fabs(value) + 0.002);
}

/// One table of [[trades]].
inline std::string trade_table(const std::string& id, const std::string& keys) {
  return "[[trades]]\nid = \"" + id + "\"\n" + keys;
}

/// Keys of a call with strike 100 and a maturity of one year.
inline const std::string call_100 = "type = \"call\"\nstrike = 100.0\nmaturity = 1.0\n";

/// One trade of every product on one Black-Scholes asset.
inline const std::string products_on_one_asset =
    one_asset + trade_table("european", "product = \"european\"\nasset = \"A\"\n" + call_100) +
    trade_table("digital", "product = \"digital\"\nasset = \"A\"\n" + call_100) +
    trade_table("asset digital",
                "product = \"digital\"\npays = \"asset\"\nasset = \"A\"\n" + call_100) +
    trade_table("asian 12", "product = \"asian\"\nfixing_count = 12\nasset = \"A\"\n" + call_100) +
    trade_table("asian 52", "product = \"asian\"\nfixing_count = 52\nasset = \"A\"\n" + call_100) +
    trade_table("geometric 12",
                "product = \"asian\"\naverage = \"geometric\"\nfixing_count = 12\nasset = \"A\"\n" +
                    call_100) +
    trade_table("lookback",
                "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\nasset = \"A\"\n"
                "maturity = 1.0\n") +
    trade_table("down-out 85",
                "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\nasset = \"A\"\n" +
                    call_100) +
    trade_table("forward start",
                "product = \"forward_start\"\nmoneyness = 1.1\nstart = 0.25\ntype = \"call\"\n"
                "asset = \"A\"\nmaturity = 1.0\n") +
    trade_table("variance",
                "product = \"variance_swap\"\nasset = \"A\"\nstrike = 0.0\nmaturity = 1.0\n"
                "fixing_count = 12\nobservations_per_year = 12\n");

}  // namespace gsim::pricing::test
