#pragma once
// Runs the module multilevel without the engine's loop, on an asset with known prices.

#include <string>
#include <vector>

#include "gsim/math/scalar.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/multilevel/multilevel_module.hpp"
#include "tests/unit/pricing/module_run.hpp"
#include "tests/unit/pricing/module_trades.hpp"

namespace gsim::pricing::test {

inline ModuleRun multilevel_run(std::string config, std::uint64_t seed = 1) {
  ModuleRun run{.config = std::move(config), .seed = seed};
  run.make = [] {
    const PayoffKinds payoffs = builtin_payoffs();
    const PathModelKinds models = builtin_path_models();
    return std::make_unique<MultilevelModule>(
        std::vector<const PayoffKind*>(payoffs.begin(), payoffs.end()),
        std::vector<const PathModelKind*>(models.begin(), models.end()));
  };
  return run;
}

/// A column of numbers of the results.
inline std::vector<double> numbers_of(const ModuleResult& result, const std::string& path) {
  std::vector<double> values;
  run_in_process(1, [&](Communicator communicator) {
    MemoryDatasets reader(communicator, result.results);
    values = reader.read<double>(path);
  });
  return values;
}

/// The displaced lognormal asset: S + 100 is lognormal with volatility 0.15 and without drift, S(0)
/// = 100 (Rubinstein 1983, "Displaced diffusion option pricing"); as a local volatility 0.15 (S +
/// 100) / S. Extremes and barriers of S are those of S + 100.
inline std::string displaced_market() {
  constexpr int nodes = 257;
  std::string spots, volatilities;
  for (int i = 0; i < nodes; ++i) {
    const double spot = exponential(logarithm(20.0) + logarithm(25.0) * i / (nodes - 1));
    const char* separator = i == 0 ? "" : ", ";
    spots += separator + fmt::format("{:.12g}", spot);
    volatilities += separator + fmt::format("{:.12g}", 0.15 * (spot + 100) / spot);
  }
  return "[market]\nrate = 0.0\n[market.assets.A]\nspot = 100.0\nmodel = \"local_volatility\"\n"
         "local_times = [1.0]\nlocal_spots = [" +
         spots + "]\nlocal_volatility = [[" + volatilities + "]]\n";
}

/// Trades of one year on the displaced asset, and their values: closed forms of Black (call,
/// digital), Reiner and Rubinstein 1991 (barriers), and integrals of the distribution of the
/// extreme (lookbacks; Conze and Viswanathan 1991), evaluated apart from gsim.
struct KnownTrade {
  const char* id;
  const char* keys;
  double value;
};
inline constexpr KnownTrade displaced_trades[] = {
    {"call", "product = \"european\"\ntype = \"call\"\nstrike = 100.0\n", 11.957057621157887},
    {"digital", "product = \"digital\"\ntype = \"call\"\nstrike = 105.0\ncash = 10.0\n",
     4.053134305301667},
    {"lookback call", "product = \"lookback\"\nkind = \"floating\"\ntype = \"call\"\n",
     22.833971018501813},
    {"lookback put", "product = \"lookback\"\nkind = \"floating\"\ntype = \"put\"\n",
     25.083971018498257},
    {"lookback fixed",
     "product = \"lookback\"\nkind = \"fixed\"\ntype = \"call\"\nstrike = 110.0\n",
     16.484418854527476},
    {"down-out",
     "product = \"barrier\"\nkind = \"down_and_out\"\nbarrier = 85.0\ntype = \"call\"\n"
     "strike = 100.0\n",
     9.644139641891707},
    {"up-in",
     "product = \"barrier\"\nkind = \"up_and_in\"\nbarrier = 115.0\ntype = \"put\"\n"
     "strike = 105.0\n",
     3.647162039064216},
};

inline std::string displaced_config(double target, const std::string& options = "") {
  std::string config =
      fmt::format("[multilevel]\ntarget = {}\n{}", target, options) + displaced_market();
  for (const KnownTrade& t : displaced_trades)
    config += trade_table(t.id, std::string("asset = \"A\"\nmaturity = 1.0\n") + t.keys);
  return config;
}

/// The call of Lewis under Heston's model (validation/pricing/heston_lewis.toml), strike 100.
inline const std::string lewis_call =
    trade_table("call", "product = \"european\"\nasset = \"H\"\n" + call_100);

}  // namespace gsim::pricing::test
