// Greeks of a portfolio of every product and model: bitwise identical for every division of the
// work, and equal by either method to four standard errors.

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "tests/unit/pricing/greeks/greek_rows.hpp"
#include "tests/unit/pricing/mixed_portfolio.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// The portfolio as a CSV file, which is deleted with this object.
class MixedGreeks {
 public:
  MixedGreeks() { std::ofstream(path_) << mixed_trades_csv; }
  std::string config(const std::string& options) const {
    return "trades_file = \"" + path_ + "\"\n[pricing]\nsteps_per_year = 12\n" + options +
           mixed_market;
  }

 private:
  gsim::test::ScratchFolder folder_;
  std::string path_ = folder_ / "trades.csv";
};

const std::string first_order = "greeks = [\"delta\", \"vega\", \"theta\", \"rho\"]\n";
const std::string few = "greeks = [\"delta\", \"gamma\", \"theta\"]\n";

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

}  // namespace

TEST_CASE("Greeks have the same bits on any number of ranks and threads, and after a resumption") {
  const MixedGreeks portfolio;
  for (const char* options :
       {"", "sampling = \"sobol\"\nreplicates = 4\n", "antithetic = true\n"}) {
    CAPTURE(options);
    const std::string config = portfolio.config(few + options);
    const ModuleResult one = run_module_alone({.config = config, .stop = samples(4 * 4096)});
    check_same(
        one,
        run_module_alone(
            {.config = config, .ranks = 3, .threads = 2, .slice = 1, .stop = samples(4 * 4096)}));
    const ModuleResult stopped =
        run_module_alone({.config = config, .ranks = 2, .stop = samples(4 * 4096), .stop_at = 3});
    check_same(one, run_module_alone({.config = config,
                                      .threads = 2,
                                      .stop = samples(4 * 4096),
                                      .resume = &stopped.state,
                                      .resume_at = 3}));
  }
}

TEST_CASE("prices do not depend on Greeks") {
  const MixedGreeks portfolio;
  const ModuleResult with =
      run_module_alone({.config = portfolio.config(few), .stop = samples(2 * 4096)});
  const ModuleResult without =
      run_module_alone({.config = portfolio.config(""), .stop = samples(2 * 4096)});
  for (const auto& [path, data] : without.results.datasets)
    CHECK(with.results.datasets.at(path) == data);
  CHECK(without.results.datasets.count("greeks/value") == 0);
}

TEST_CASE("Greeks of all products and models: both methods agree to four standard errors") {
  const MixedGreeks portfolio;
  const std::string options = first_order + "importance_sampling = false\n";
  const auto automatic = greeks_of(run_module_alone(
      {.config = portfolio.config(options), .threads = 2, .stop = samples(8 * 4096)}));
  const auto bumped = greeks_of(
      run_module_alone({.config = portfolio.config(options + "greeks_method = \"bump\"\n"),
                        .threads = 2,
                        .stop = samples(8 * 4096),
                        .seed = 2}));
  CHECK(automatic.size() == 31 + 31 + 24 + 24);
  double chi_squared = 0, rows = 0;
  for (const auto& [name, a] : automatic) {
    CAPTURE(name);
    const GreekValue& b = bumped.at(name);
    CAPTURE(a.value);
    CAPTURE(a.error);
    CAPTURE(b.value);
    CAPTURE(b.error);
    CHECK(b.method == "bump");
    // A variance swap does not depend on the spot, and an exchange option not on the rate.
    if (std::fabs(a.value) < 1e-8 && std::fabs(b.value) < 1e-8) continue;
    // The central differences of bumps of 1 % have a bias below 1e-3 of the Greek.
    const double error = std::hypot(a.error, b.error), bias = 1e-3 * std::fabs(b.value);
    CHECK(std::fabs(a.value - b.value) <= 4 * error + bias);
    chi_squared += std::pow(std::fmax(0.0, std::fabs(a.value - b.value) - bias) / error, 2);
    ++rows;
  }
  CHECK(chi_squared < rows + 5 * std::sqrt(2 * rows));
}
