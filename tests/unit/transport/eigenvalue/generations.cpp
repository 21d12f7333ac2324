// Eigenvalues of critical systems from the literature, and identical results for any number of
// ranks and threads.

#include "src/modules/transport/eigenvalue/generations.hpp"

#include <cmath>
#include <cstring>

#include "src/modules/transport/tracking/growing_lists.hpp"
#include "unit/transport/eigenvalue/eigenvalue_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

// A. Sood, R. A. Forster, D. K. Parsons, Prog. Nucl. Energy 42 (2003) 55.
const char* const plutonium_b =
    "[[material]]\nname = \"fuel\"\nfission = [0.0816]\ncapture = [0.019584]\nnu = [2.84]\n"
    "chi = [1.0]\nscatter = [[0.225216]]\n";
/// Problem 8, PUb-1-0-SP.
const std::string sphere = std::string(plutonium_b) +
                           "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 6.082547\n"
                           "boundary = \"vacuum\"\n"
                           "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"fuel\"\n";
/// Problem 7, PUb-1-0-CY: an infinite cylinder.
const std::string cylinder =
    std::string(plutonium_b) +
    "[[surface]]\nname = \"edge\"\nkind = \"z_cylinder\"\nradius = 4.27996\nboundary = \"vacuum\"\n"
    "[[surface]]\nname = \"low\"\nkind = \"z_plane\"\nz = -1.0\nboundary = \"reflective\"\n"
    "[[surface]]\nname = \"high\"\nkind = \"z_plane\"\nz = 1.0\nboundary = \"reflective\"\n"
    "[[cell]]\nname = \"rod\"\nregion = \"-edge +low -high\"\nfill = \"fuel\"\n";
/// Problem 5, PUb-1-0-IN: k = 2.290323, for any geometry between reflective planes.
const std::string infinite_medium =
    std::string(plutonium_b) +
    "[[box]]\nname = \"box\"\nlower = [-3.0, -2.0, -4.0]\nupper = [3.0, "
    "5.0, 4.0]\nboundary = \"reflective\"\n"
    "[[cell]]\nname = \"fuel\"\nregion = \"-box\"\nfill = \"fuel\"\n";

EigenvalueOutcome solve_on_one_rank(const EigenvalueSystem& system, const EigenvalueRun& run) {
  return solve(system, run, Communicator::self());
}

/// Checks that k is within 3.5 standard errors of the reference, and that the error is small.
void check_k(const EigenvalueOutcome& out, double reference, double largest_error) {
  CAPTURE(out.k.value.mean);
  CAPTURE(out.k.value.error);
  CHECK(out.lost == 0);
  CHECK(out.k.value.error < largest_error);
  CHECK(std::abs(out.k.value.mean - reference) < 3.5 * out.k.value.error);
}

}  // namespace

TEST_CASE(
    "generations: k of the critical sphere and cylinder is 1 for all kinds of tracking and "
    "capture") {
  const EigenvalueSystem sphere_system(sphere), cylinder_system(cylinder);
  for (const Tracking tracking : {Tracking::surface, Tracking::delta})
    for (const Capture capture : {Capture::analog, Capture::implicit}) {
      CAPTURE(static_cast<int>(tracking));
      CAPTURE(static_cast<int>(capture));
      EigenvalueRun run;
      run.rules.tracking = tracking;
      run.rules.capture = capture;
      check_k(solve_on_one_rank(sphere_system, run), 1.0, 0.004);
      check_k(solve_on_one_rank(cylinder_system, run), 1.0, 0.004);
    }
}

TEST_CASE("generations: k of an infinite medium follows from its cross sections") {
  const EigenvalueSystem system(infinite_medium);
  EigenvalueRun run;
  run.particles = 500;
  run.active = 60;
  run.rules.capture = Capture::analog;
  const EigenvalueOutcome out = solve_on_one_rank(system, run);
  CHECK(out.lost == 0);
  const double k_inf = 2.84 * 0.0816 / (0.0816 + 0.019584);
  // Every neutron is absorbed, so that this estimator has no noise.
  for (const double k : out.absorption) CHECK(k == doctest::Approx(k_inf).epsilon(1e-12));
  CHECK(out.k.value.mean == doctest::Approx(k_inf).epsilon(1e-6));
  const MeanAndError collision = mean_of(out.collision);
  CHECK(std::abs(collision.mean - k_inf) < 3.5 * collision.error);
}

TEST_CASE("generations: the same bits on any number of ranks and threads") {
  const EigenvalueSystem system(sphere);
  EigenvalueRun run;
  run.particles = 700;
  run.inactive = 2;
  run.active = 6;
  run.rules.capture = Capture::implicit;
  const EigenvalueOutcome reference = solve_on_one_rank(system, run);
  for (const int ranks : {1, 2, 3, 4, 7})
    for (const int threads : {1, 3}) {
      CAPTURE(ranks);
      CAPTURE(threads);
      std::vector<int> same(static_cast<std::size_t>(ranks));
      run_in_process(ranks, [&](Communicator comm) {
        const EigenvalueOutcome out = solve(system, run, comm, threads);
        same[static_cast<std::size_t>(comm.rank())] =
            out.collision == reference.collision && out.absorption == reference.absorption &&
            out.track_length == reference.track_length &&
            out.source.size() == reference.source.size() &&
            std::memcmp(out.source.data(), reference.source.data(),
                        out.source.size() * sizeof(FissionSite)) == 0;
      });
      for (const int s : same) CHECK(s == 1);
    }
}

TEST_CASE("generations: the comb selects source sites evenly and in order") {
  // Offsets of 0, half and nearly a whole pitch of the comb.
  for (const Index sites : {1, 7, 100, 1000, 2345})
    for (const std::uint32_t offset : {0u, 0x80000000u, 0xffffffffu}) {
      const Index teeth = 1000;
      const Comb comb{teeth, sites, offset};
      std::vector<Index> selected(static_cast<std::size_t>(sites));
      Index previous = 0;
      for (Index j = 0; j < teeth; ++j) {
        const Index site = comb.site(j);
        REQUIRE(site >= previous);
        REQUIRE(site < sites);
        ++selected[static_cast<std::size_t>(previous = site)];
      }
      for (const Index from : {Index{0}, sites / 3, sites - 1, sites}) {
        Index first_by_search = 0;
        while (first_by_search < teeth && comb.site(first_by_search) < from) ++first_by_search;
        CHECK(comb.first_tooth(from) == first_by_search);
      }
      for (const Index n : selected) {
        CHECK(n >= teeth / sites);
        CHECK(n <= teeth / sites + 1);
      }
    }
}

TEST_CASE("generations: a system without fissile material is an error") {
  const std::string text =
      "[[material]]\nname = \"water\"\ncapture = [0.3]\nscatter = [[0.2]]\n"
      "[[surface]]\nname = \"edge\"\nkind = \"sphere\"\nradius = 5.0\nboundary = \"vacuum\"\n"
      "[[cell]]\nname = \"ball\"\nregion = \"-edge\"\nfill = \"water\"\n";
  const EigenvalueSystem system(text);
  CHECK_THROWS_WITH_AS(solve_on_one_rank(system, {}), doctest::Contains("no fission neutron"),
                       NumericalError);
}

TEST_CASE("generations: neutrons that start in no cell are counted as lost and reported") {
  const EigenvalueSystem system(sphere);
  for (const Tracking tracking : {Tracking::surface, Tracking::delta}) {
    CAPTURE(tracking);
    HistoryRules rules;
    rules.tracking = tracking;
    Generations generations(Communicator::self(), Executor::host(1), system.args(rules, /*seed=*/1),
                            /*particles=*/10, /*seed=*/1);
    std::vector<FissionSite> source(10);
    source[7].position = {0, 0, 7};  // outside the geometry
    generations.set_source(source);
    const BatchSums sums = generations.run(/*generation=*/0, /*k=*/1);
    CHECK(sums.lost == 1);
    CHECK(sums.first_lost.reason == LostParticle::Reason::no_cell);
    CHECK(sums.first_lost.history == 7);
    CHECK(sums.first_lost.position.z == 7);
  }
}

TEST_CASE(
    "generation statistics: errors include autocorrelation, and combined estimators have minimum "
    "variance") {
  // An autoregressive series x' = a x + noise has the integrated autocorrelation (1 + a) / (1 - a).
  std::vector<double> series;
  double x = 0;
  std::uint64_t state = 12345;
  // Nearly normal with variance 1: 12 uniform numbers have the mean 6 and the variance 1.
  const auto noise = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(state = mix64(state + 1)) * 0x1p-64;
    return sum;
  };
  for (int i = 0; i < 20000; ++i) series.push_back(x = 0.6 * x + noise());
  const MeanAndError result = mean_of(series);
  CHECK(result.correlation == doctest::Approx(4.0).epsilon(0.15));
  CHECK(std::abs(result.mean) < 3.5 * result.error);
  // series_b has a quarter of the variance of series_a, so that their weights are 1/5 and 4/5. A
  // copy of series_b adds nothing.
  std::vector<double> series_a, series_b;
  for (int i = 0; i < 20000; ++i) {
    series_a.push_back(2 * noise());
    series_b.push_back(noise());
  }
  const Combination c = combine({series_a, series_b, series_b});
  CHECK(c.weights[0] == doctest::Approx(0.2).epsilon(0.1));
  CHECK(c.weights[1] + c.weights[2] == doctest::Approx(0.8).epsilon(0.05));
  CHECK(c.weights[1] * c.weights[2] == 0);
}

TEST_CASE(
    "generation statistics: autocorrelation is estimated without bias, and only stationary series "
    "are judged converged") {
  std::uint64_t state = 99;
  // Nearly normal with variance 1: 12 uniform numbers have the mean 6 and the variance 1.
  const auto noise = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(state = mix64(state + 1)) * 0x1p-64;
    return sum;
  };
  const auto autoregressive = [&](double phi, int n, double first) {
    std::vector<double> series{first};
    for (int i = 1; i < n; ++i) series.push_back(phi * series.back() + noise());
    return series;
  };
  CHECK(autocorrelation_of(autoregressive(0.9, 20000, 0)).ratio ==
        doctest::Approx(0.9).epsilon(0.02));
  double sum = 0;
  constexpr int trials = 200;
  int slow_series_converged = 0, stationary_series_converged = 0, drifting_series_converged = 0;
  for (int i = 0; i < trials; ++i) {
    sum += autocorrelation_of(autoregressive(0.8, 100, 0)).ratio;
    const std::vector<double> series_a = autoregressive(0.7, 240, 0),
                              series_b = autoregressive(0.5, 240, 0);
    stationary_series_converged +=
        judge_convergence({series_a, series_b}, /*inactive=*/40).is_converged ? 1 : 0;
    // Three slowly varying series that stay near their initial values.
    const std::vector<double> x = autoregressive(0.998, 120, 0), y = autoregressive(0.998, 120, 0),
                              z = autoregressive(0.998, 120, 0);
    slow_series_converged += judge_convergence({x, y, z}, /*inactive=*/40).is_converged ? 1 : 0;
    const std::vector<double> drifting = autoregressive(0.97, 1200, 60);
    drifting_series_converged +=
        judge_convergence({drifting}, /*inactive=*/20).is_converged ? 1 : 0;
  }
  CHECK(sum / trials == doctest::Approx(0.8).epsilon(0.02));  // corrected for bias
  CHECK(stationary_series_converged > 0.9 * trials);
  CHECK(slow_series_converged < 0.05 * trials);
  CHECK(drifting_series_converged < 0.05 * trials);
}

TEST_CASE("generation statistics: first and second moments of the source on the entropy mesh") {
  const EntropyMesh mesh{{0, 0, 0}, {4, 2, 1}, {4, 2, 1}};
  // In coordinates from -1 to 1 the centres of the boxes are at x = -0.75 … 0.75, y = -0.5 and 0.5.
  const auto moments = mesh.moments({1, 0, 0, 1, 0, 0, 0, 2});
  CHECK(moments[0] == doctest::Approx((-0.75 + 0.75 + 2 * 0.75) / 4));
  CHECK(moments[1] == doctest::Approx((-0.5 - 0.5 + 0.5 + 0.5) / 4));
  CHECK(moments[2] == 0);
  CHECK(moments[3] == doctest::Approx(0.5625));
  CHECK(moments[4] == 0);
}

TEST_CASE("generation statistics: Shannon entropy of uniform and single-bin sources") {
  CHECK(shannon_entropy({5, 5, 5, 5}) == doctest::Approx(2.0));
  CHECK(shannon_entropy({7, 0, 0}) == 0);
}

TEST_CASE(
    "generation statistics: sites are counted in bins of the entropy mesh by any number of "
    "threads") {
  // Bin b has 1 + 300 b sites. Sites outside the mesh are counted in the nearest bin.
  const EntropyMesh mesh{{-1, 0, 2}, {3, 5, 2}, {4, 5, 1}};
  std::vector<FissionSite> sites;
  std::vector<std::int64_t> expected;
  for (Index bin = 0; bin < mesh.bins(); ++bin) {
    FissionSite site;
    site.position = {static_cast<double>(bin % 4) - 0.5, static_cast<double>(bin / 4) + 0.5, 2};
    if (bin % 4 == 0) site.position.x = -7;
    if (bin / 4 == 4) site.position.y = 5;
    sites.insert(sites.end(), static_cast<std::size_t>(1 + 300 * bin), site);
    expected.push_back(1 + 300 * bin);
  }
  for (const int threads : {1, 2, 3, 7}) {
    CAPTURE(threads);
    CHECK(mesh.count({sites.data(), static_cast<Index>(sites.size())}, Executor::host(threads)) ==
          expected);
  }
  CHECK(mesh.count({}, Executor::host(2)) == std::vector<std::int64_t>(20, 0));
}

TEST_CASE("growing lists: the items of lists are concatenated in order, after the kept items") {
  GrowingLists<int> lists;
  std::vector<int> out{-1, -2, -3, -4};
  for (const int threads : {1, 3}) {
    ThreadPool pool(threads);
    GrowingList<int>* const appendable = lists.cleared(40);
    std::vector<int> expected{-1, -2};
    for (int l = 0; l < 40; ++l)
      for (int i = 0; i < (l * 7) % 50; ++i) {
        transport_kernels::append(appendable[l], 100 * l + i);
        expected.push_back(100 * l + i);
      }
    lists.put_into(out, 2, pool);
    CHECK(out == expected);
    lists.append_to(out, pool);
    expected.insert(expected.end(), expected.begin() + 2, expected.end());
    CHECK(out == expected);
    lists.cleared(40);
    lists.put_into(out, 2, pool);
    CHECK(out == std::vector<int>{-1, -2});
  }
}
