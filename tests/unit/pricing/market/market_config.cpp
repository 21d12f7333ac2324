#include "src/modules/pricing/market/market_config.hpp"

#include <fstream>

#include <doctest/doctest.h>

#include "src/modules/pricing/market/correlation_config.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

const std::string trade = R"(
[[trades]]
id = "T"
product = "european"
asset = "A"
type = "call"
strike = 100.0
maturity = 1.0
)";

std::string with_asset(const std::string& keys) {
  return "[market]\nrate = 0.05\n[market.assets.A]\nspot = 100.0\n" + keys + trade;
}

std::string with_correlation(const std::string& models, const std::string& matrix) {
  return "[market]\nrate = 0.0\n[market.assets.A]\nspot = 1.0\n" + models +
         "[market.assets.B]\nspot = 1.0\n" + models + "[market.assets.C]\nspot = 1.0\n" + models +
         "[market.correlation]\nassets = [\"A\", \"B\", \"C\"]\nmatrix = " + matrix + "\n" + trade;
}

}  // namespace

TEST_CASE("flat rates, yields and volatilities") {
  const PricingConfig config = read(two_assets + trade);
  CHECK(config.market.rate.integral(2) == doctest::Approx(0.1));
  REQUIRE(config.market.assets.size() == 2);
  CHECK(config.market.assets[1].name == "B");
  CHECK(config.market.assets[1].dividend.integral(1) == doctest::Approx(0.02));
  CHECK(config.market.assets[1].variance.integral(2) == doctest::Approx(0.18));
  bool known = false;
  CHECK(config.market.correlation_of(0, 1, &known) == 0.5);
  CHECK(known);
}

TEST_CASE("term structures: zero and forward rates, implied and forward volatilities") {
  const PricingConfig config = read(R"(
[market]
rate = { times = [1.0, 2.0], values = [0.02, 0.03] }
[market.assets.A]
spot = 100.0
dividend = { times = [1.0, 2.0], values = [0.02, 0.03], kind = "forward" }
volatility = { times = [0.5, 2.0], values = [0.3, 0.2] }
)" + trade);
  const MarketConfig& m = config.market;
  CHECK(m.rate.integral(1) == doctest::Approx(0.02));
  CHECK(m.rate.integral(2) == doctest::Approx(0.06));
  CHECK(m.rate.integral(3) == doctest::Approx(0.10));  // the last forward rate is extrapolated
  CHECK(m.assets[0].dividend.integral(3) == doctest::Approx(0.08));
  CHECK(m.assets[0].variance.integral(0.5) == doctest::Approx(0.045));
  CHECK(m.assets[0].variance.integral(2) == doctest::Approx(0.08));
  CHECK(m.assets[0].variance.integral(1.25) == doctest::Approx(0.0625));
}

TEST_CASE("a falling total variance is rejected at its key") {
  const std::string message =
      error_of(with_asset("volatility = { times = [0.5, 1.0], values = [0.4, 0.2] }\n"));
  CHECK(contains(message, "total variance falls from 0.08 at 0.5 years to 0.04 at 1 years"));
  CHECK(contains(message, "0.282843"));  // sqrt(0.08): the least volatility that is possible
  CHECK(contains(message, "test.toml:5:"));
}

TEST_CASE("invalid curves") {
  CHECK(contains(error_of(with_asset("volatility = { times = [1.0, 0.5], values = [0.2, 0.2] }\n")),
                 "rising"));
  CHECK(contains(error_of(with_asset("volatility = { times = [1.0], values = [0.2, 0.2] }\n")),
                 "2 values for 1 times"));
  CHECK(contains(error_of(with_asset("volatility = -0.2\n")), "volatility"));
}

TEST_CASE("every model reads its keys and rejects those of other models") {
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.5\nrho = -0.7\n";
  const std::string jumps = "jump_intensity = 1.0\njump_mean = -0.1\njump_sd = 0.2\n";
  CHECK(read(with_asset(heston)).market.assets[0].kappa == 2);
  const AssetConfig bates =
      read(with_asset("model = \"bates\"\n" + heston.substr(heston.find('\n') + 1) + jumps))
          .market.assets[0];
  CHECK(bates.model->name == "bates");
  CHECK(bates.jump_sd == 0.2);
  CHECK(read(with_asset("model = \"merton\"\nvolatility = 0.2\n" + jumps))
            .market.assets[0]
            .jump_intensity == 1);
  CHECK(contains(error_of(with_asset("volatility = 0.2\nkappa = 2.0\n")), "kappa"));
  CHECK(contains(error_of(with_asset("model = \"heston\"\nv0 = 0.04\n")), "kappa"));
  CHECK(contains(error_of(with_asset("model = \"hestn\"\n")), "heston"));
}

TEST_CASE("the error of a misspelt key suggests the nearest one") {
  const std::string message = error_of(with_asset("voltaility = 0.2\n"));
  CHECK(contains(message, "voltaility"));
  CHECK(contains(message, "`volatility`"));
}

TEST_CASE("local volatility from keys and from a file is the same") {
  const gsim::test::ScratchFolder folder;
  std::ofstream(folder / "grid.csv")
      << "time,spot,volatility\n0.5,80,0.3\n0.5,120,0.2\n1.0,80,0.28\n1.0,120,0.22\n";
  const LocalVolatilityGrid file = read(with_asset("model = \"local_volatility\"\nlocal_file = \"" +
                                                   (folder / "grid.csv") + "\"\n"))
                                       .market.assets[0]
                                       .local;
  const LocalVolatilityGrid from_keys =
      read(with_asset("model = \"local_volatility\"\nlocal_times = [0.5, 1.0]\n"
                      "local_spots = [80.0, 120.0]\n"
                      "local_volatility = [[0.3, 0.2], [0.28, 0.22]]\n"))
          .market.assets[0]
          .local;
  CHECK(file.times == from_keys.times);
  CHECK(file.spots == from_keys.spots);
  CHECK(file.volatility == from_keys.volatility);
  std::ofstream(folder / "grid.csv") << "time,spot,volatility\n0.5,80,0.3\n1.0,120,0.2\n";
  CHECK(contains(error_of(with_asset("model = \"local_volatility\"\nlocal_file = \"" +
                                     (folder / "grid.csv") + "\"\n")),
                 "no volatility at time 0.5 and spot 120"));
}

TEST_CASE("an invalid correlation matrix: the error states eigenvalue, pair and nearest matrix") {
  // Eigenvalues of this matrix: 1.9 twice (1 + 0.9) and 1 - 1.8 = -0.8.
  const std::string black_scholes = "volatility = 0.2\n";
  const std::string given = "[[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]]";
  const std::string message = error_of(with_correlation(black_scholes, given));
  CHECK(contains(message, "not positive semidefinite (smallest eigenvalue -0.8)"));
  CHECK(contains(message, "–"));  // between the names of a pair of assets
  // All three entries change equally, from 0.9 to 0.5, at a distance of sqrt(6) 0.4.
  CHECK(contains(message, "Frobenius distance 0.9798"));
  const std::string key = "\nmatrix = ";
  REQUIRE(contains(message, key));
  const std::string printed = message.substr(message.find(key) + key.size());
  CHECK(contains(printed, "[[1.000000, 0.499999, 0.499999], [0.499999, 1.000000, -0.499999]"));
  CHECK(error_of(with_correlation(black_scholes, printed.substr(0, printed.find("]]") + 2))) == "");

  const PricingConfig repaired =
      read(with_correlation(black_scholes, given + "\ninvalid = \"nearest\""));
  CHECK(repaired.market.correlation[1] == doctest::Approx(0.5).epsilon(1e-5));
  REQUIRE(repaired.market.warnings.size() == 1);
  CHECK(contains(repaired.market.warnings[0], "the nearest correlation matrix is used instead"));
}

TEST_CASE("invalid correlations") {
  const std::string black_scholes = "volatility = 0.2\n";
  CHECK(contains(error_of(with_correlation(black_scholes, "[[1.0, 0.5], [0.5, 1.0]]")),
                 "2 rows for 3 assets"));
  CHECK(contains(error_of(with_correlation(black_scholes,
                                           "[[1.0, 0.5, 0.0], [0.4, 1.0, 0.0], [0.0, 0.0, 1.0]]")),
                 "not symmetric"));
  CHECK(contains(error_of(with_correlation(black_scholes,
                                           "[[1.0, 0.5, 0.0], [0.5, 0.9, 0.0], [0.0, 0.0, 1.0]]")),
                 "with itself"));
  CHECK(contains(error_of(with_correlation(black_scholes,
                                           "[[1.0, 1.5, 0.0], [1.5, 1.0, 0.0], [0.0, 0.0, 1.0]]")),
                 "matrix"));
  // A singular matrix is valid: C has correlation -1 with A.
  CHECK(error_of(with_correlation(
            black_scholes, "[[1.0, 0.5, -1.0], [0.5, 1.0, -0.5], [-1.0, -0.5, 1.0]]")) == "");
}

TEST_CASE("spots of strongly skewed Heston assets cannot be strongly correlated") {
  const std::string heston =
      "model = \"heston\"\nv0 = 0.04\nkappa = 2.0\ntheta = 0.04\nsigma = 0.5\nrho = -0.9\n";
  const std::string matrix = "[[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]";
  const std::string message = error_of(with_correlation(heston, matrix));
  CHECK(contains(message, "A–B (rho -0.9 and -0.9)"));
  const PricingConfig valid =
      read(with_correlation(heston, "[[1.0, 0.1, 0.0], [0.1, 1.0, 0.0], [0.0, 0.0, 1.0]]"));
  // The parts of the spots' normals that are independent of the variances have the correlation
  // 0.1 / (1 - 0.81).
  CHECK(independent_normal_correlation(valid.market, {0, 1})[1] == doctest::Approx(0.1 / 0.19));
}

TEST_CASE("on_error = skip: trades on invalid assets are skipped") {
  const PricingConfig config = read(R"(
[pricing]
on_error = "skip"
[market]
rate = 0.05
[market.assets.A]
spot = 100.0
volatility = { times = [0.5, 1.0], values = [0.4, 0.2] }
[market.assets.B]
spot = 100.0
volatility = 0.2
)" + trade + R"(
[[trades]]
id = "OK"
product = "european"
asset = "B"
type = "put"
strike = 100.0
maturity = 1.0
)");
  REQUIRE(config.trades.size() == 1);
  CHECK(config.trades[0].id == "OK");
  REQUIRE(config.skipped.size() == 1);
  CHECK(config.skipped[0].id == "T");
  CHECK(contains(config.skipped[0].reason, "asset `A` cannot be used"));
  CHECK(contains(config.skipped[0].reason, "total variance falls"));
}
