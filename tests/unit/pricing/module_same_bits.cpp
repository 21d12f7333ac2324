// Results of a portfolio of every product and model are bitwise identical for every division of the
// work.

#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"
#include "support/test_executor.hpp"
#include "tests/unit/pricing/fixtures.hpp"
#include "tests/unit/pricing/mixed_portfolio.hpp"
#include "tests/unit/pricing/module_run.hpp"

using namespace gsim;
using namespace gsim::pricing::test;

namespace {

// The portfolio as a CSV file, which is deleted with this object.
class MixedPortfolio {
 public:
  MixedPortfolio() { std::ofstream(path_) << mixed_trades_csv; }
  std::string config(const std::string& options) const {
    return "trades_file = \"" + path_ + "\"\n[pricing]\nsteps_per_year = 12\n" + options +
           mixed_market;
  }

 private:
  gsim::test::ScratchFolder folder_;
  std::string path_ = folder_ / "trades.csv";
};

/// Blocks of 4096 samples of a run: fewer on a GPU, which is emulated where there is none.
Index blocks() { return gsim::test::tests_on_device() ? 4 : 8; }

void check_same(const ModuleResult& a, const ModuleResult& b) {
  CHECK(a.results == b.results);
  CHECK(a.state == b.state);
  CHECK(a.digest == b.digest);
}

}  // namespace

TEST_CASE("all datasets have the same bits on any number of ranks and threads") {
  const MixedPortfolio portfolio;
  const std::string config = portfolio.config("");
  const ModuleResult one_rank =
      run_module_alone({.config = config, .stop = samples(blocks() * 4096)});
  CHECK(one_rank.estimates.size() == 24);
  struct Division {
    int ranks, threads;
  };
  for (const Division& d : {Division{1, 3}, Division{2, 2}, Division{3, 1}, Division{7, 2}}) {
    CAPTURE(d.ranks);
    CAPTURE(d.threads);
    check_same(one_rank, run_module_alone({.config = config,
                                           .ranks = d.ranks,
                                           .threads = d.threads,
                                           .stop = samples(blocks() * 4096)}));
  }
}

TEST_CASE("Sobol points, antithetic paths, float: same bits on any number of ranks and threads") {
  const MixedPortfolio portfolio;
  for (const char* options : {"sampling = \"sobol\"\nreplicates = 4\n", "antithetic = true\n",
                              "precision = \"float\"\n"}) {
    CAPTURE(options);
    const std::string config = portfolio.config(options);
    const ModuleResult one_rank =
        run_module_alone({.config = config, .stop = samples(blocks() * 4096)});
    check_same(one_rank, run_module_alone({.config = config,
                                           .ranks = 3,
                                           .threads = 2,
                                           .slice = 3,
                                           .stop = samples(blocks() * 4096)}));
  }
}

TEST_CASE("results have the same bits for slices of any length") {
  const MixedPortfolio portfolio;
  const std::string config = portfolio.config("");
  const ModuleResult uninterrupted =
      run_module_alone({.config = config, .stop = samples(blocks() * 4096)});
  for (const Index slice : {1, 3})
    check_same(
        uninterrupted,
        run_module_alone(
            {.config = config, .ranks = 2, .slice = slice, .stop = samples(blocks() * 4096)}));
}

TEST_CASE("a run resumed after any block on other ranks gives the same bits") {
  const MixedPortfolio portfolio;
  const std::string config = portfolio.config("");
  // Some trades converge during the run: their flags are part of the state.
  StopRule stop = samples(blocks() * 4096);
  stop.relative_error = 5e-3;
  const ModuleResult uninterrupted = run_module_alone({.config = config, .stop = stop});
  std::size_t converged = 0;
  for (const Estimate& e : uninterrupted.estimates) converged += e.converged ? 1 : 0;
  CHECK(converged > 0);
  CHECK(converged < uninterrupted.estimates.size());
  for (const Index at : {1, 2, 5, 7}) {
    if (at >= blocks()) break;
    CAPTURE(at);
    const ModuleResult stopped =
        run_module_alone({.config = config, .ranks = 3, .slice = 2, .stop = stop, .stop_at = at});
    check_same(uninterrupted, run_module_alone({.config = config,
                                                .ranks = 2,
                                                .threads = 2,
                                                .stop = stop,
                                                .resume = &stopped.state,
                                                .resume_at = at}));
  }
}

TEST_CASE("results depend on the seed") {
  const MixedPortfolio portfolio;
  const std::string config = portfolio.config("");
  CHECK(run_module_alone({.config = config, .stop = samples(4096)}).digest !=
        run_module_alone({.config = config, .stop = samples(4096), .seed = 2}).digest);
}
