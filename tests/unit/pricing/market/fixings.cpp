// market.fixings_file: spots that were observed before today.

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/fixtures.hpp"

using namespace gsim::pricing;
using namespace gsim::pricing::test;

namespace {

// A configuration with the past_rows of a file of fixings, and trades on asset A.
class Fixings {
 public:
  Fixings(const std::string& past_rows, const std::string& trades) {
    std::ofstream(folder_ / "fixings.csv") << "asset,date,value\n" + past_rows;
    std::ofstream(folder_ / "run.toml") << "[market]\nrate = 0.05\nfixings_file = \"fixings.csv\"\n"
                                           "[market.assets.A]\nspot = 100.0\nvolatility = 0.2\n" +
                                               trades;
  }
  PricingConfig read() const {
    gsim::ConfigFile file = gsim::ConfigFile::load(folder_ / "run.toml");
    PricingConfig config;
    file.read([&](gsim::Section& top) {
      describe_pricing(top, config, builtin_payoffs(), builtin_path_models());
    });
    return config;
  }
  std::string error() const {
    try {
      read();
    } catch (const gsim::InputError& error) {
      return error.what();
    }
    return {};
  }

 private:
  gsim::test::ScratchFolder folder_;
};

std::string trade_on_a(const std::string& product, const std::string& keys) {
  return "[[trades]]\nid = \"T\"\nproduct = \"" + product + "\"\nasset = \"A\"\nmaturity = 0.5\n" +
         keys;
}

// Rows out of order, with an asset that the market does not have.
const std::string past_rows = "A,-0.25,97\nB,-0.25,1\nA,-0.5,95\nA,0,42\n";
const std::string asian_call = trade_on_a("asian", "type = \"call\"\nstrike = 100.0\n");

}  // namespace

TEST_CASE("dates of a schedule before today are replaced by their spots") {
  const TradeConfig t = Fixings(past_rows, asian_call + "fixings = [-0.5, -0.25, 0, 0.25, 0.5]\n")
                            .read()
                            .trades.at(0);
  CHECK(t.past_fixings == std::vector<double>{95, 97});
  CHECK(t.fixings == std::vector<double>{0, 0.25, 0.5});
  const TradeConfig future =
      Fixings(past_rows, asian_call + "fixings = [0.25, 0.5]\n").read().trades.at(0);
  CHECK(future.past_fixings.empty());
}

TEST_CASE("past dates of cliquets, lookbacks and barriers") {
  const std::string dates = "fixings = [-0.5, -0.25, 0.25, 0.5]\n";
  const TradeConfig cliquet =
      Fixings(past_rows, trade_on_a("cliquet", "type = \"call\"\n" + dates)).read().trades.at(0);
  CHECK(cliquet.past_fixings == std::vector<double>{95, 97});
  const std::string monitored = "monitoring = \"discrete\"\n" + dates;
  const TradeConfig lookback =
      Fixings(past_rows,
              trade_on_a("lookback", "type = \"call\"\nkind = \"floating\"\n" + monitored))
          .read()
          .trades.at(0);
  CHECK(lookback.past_fixings == std::vector<double>{95, 97});
  const auto touched = [&](const std::string& level) {
    return Fixings(
               past_rows,
               trade_on_a("barrier",
                          "type = \"call\"\nstrike = 100.0\nkind = \"down_and_out\"\nbarrier = " +
                              level + "\n" + monitored))
        .read()
        .trades.at(0)
        .touched;
  };
  CHECK(touched("95.0"));
  CHECK(!touched("94.0"));
}

TEST_CASE("messages about fixings") {
  const std::string message = Fixings(past_rows, asian_call + "fixings = [-0.4, 0.5]\n").error();
  CHECK(contains(message, "run.toml:14:11: no fixing of asset `A` on -0.4 years"));
  CHECK(contains(message, "add it to market.fixings_file"));
  CHECK(contains(
      Fixings(past_rows, asian_call + "fixings = [-0.5, 0.5]\npast_fixings = [99.0]\n").error(),
      "`fixings` has dates before today"));
  CHECK(contains(Fixings(past_rows, trade_on_a("cliquet",
                                               "type = \"call\"\nfixings = [-0.5, 0.5]\n"
                                               "last_reset = 99.0\n"))
                     .error(),
                 "`fixings` has the dates of past resets"));
  CHECK(contains(Fixings("A,-0.5,95\nA,-0.5,96\n", asian_call + "fixings = [0.5]\n").error(),
                 "fixings.csv:3:3: asset `A` has two fixings on -0.5 years"));
  CHECK(contains(Fixings("A,0.5,95\n", asian_call + "fixings = [0.5]\n").error(),
                 "fixings.csv:2:3: `date` must be at most 0 (years), not 0.5"));
  CHECK(
      contains(Fixings("A,-0.5,0\n", asian_call + "fixings = [0.5]\n").error(), "`value` must be"));
}
