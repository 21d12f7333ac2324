// Radial distribution functions of an ideal gas and of perfect crystals, compared with exact values
// and direct counts; several ranks and restarts.

#include "src/modules/md/observers/radial_distribution.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/io/memory_datasets.hpp"
#include "tests/unit/md/observers/observed_system.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

/// Uniformly distributed 64-bit integers: SplitMix64 of the counter `i`.
std::uint64_t random_bits(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Atoms at random positions in the box, with alternating types.
std::vector<ObservedAtom> random_gas(const Box& box, Index n, std::int32_t types,
                                     std::uint64_t seed) {
  std::vector<ObservedAtom> atoms;
  for (Index i = 0; i < n; ++i) {
    double f[3];
    for (std::uint64_t a = 0; a < 3; ++a)
      f[a] =
          static_cast<double>(random_bits(seed * 1000003 + static_cast<std::uint64_t>(i) * 3 + a)) *
          0x1p-64;
    const auto& [lx, ly, lz] = box.lengths();
    const auto& [xy, xz, yz] = box.tilts();
    atoms.push_back(atom_at(box,
                            {box.origin()[0] + f[0] * lx + f[1] * xy + f[2] * xz,
                             box.origin()[1] + f[1] * ly + f[2] * yz, box.origin()[2] + f[2] * lz},
                            static_cast<std::int32_t>(i % types)));
  }
  return atoms;
}

std::vector<ObservedAtom> fcc(Index cells, const Box& box) {
  std::vector<ObservedAtom> atoms;
  const double a = box.lengths()[0] / static_cast<double>(cells);
  constexpr std::array<Vector3, 4> basis = {
      {{0.1, 0.1, 0.1}, {0.6, 0.6, 0.1}, {0.6, 0.1, 0.6}, {0.1, 0.6, 0.6}}};
  for (Index i = 0; i < cells * cells * cells; ++i)
    for (const Vector3& b : basis)
      atoms.push_back(atom_at(box, {a * (static_cast<double>(i % cells) + b[0]),
                                    a * (static_cast<double>(i / cells % cells) + b[1]),
                                    a * (static_cast<double>(i / cells / cells) + b[2])}));
  return atoms;
}

/// Runs over `snapshots` on `ranks` ranks, calls the checks on rank 0, and returns the digest.
template <class Check>
std::uint64_t observe(int ranks, int threads, const Box& box,
                      const std::vector<std::vector<ObservedAtom>>& snapshots, Index types,
                      const RadialDistributionConfig& config, const Check& check) {
  std::uint64_t digest = 0;
  run_in_process(ranks, [&](Communicator comm) {
    ObservedSystem system(comm, box, snapshots[0],
                          std::vector<double>(static_cast<std::size_t>(types), 1.0), threads);
    RadialDistribution rdf("rdf", {.every = 5}, config, system.setup);
    system.start(snapshots[0], rdf.reach());
    for (std::size_t k = 0; k < snapshots.size(); ++k) {
      if (k > 0) system.update(snapshots[k], rdf.reach());
      rdf.observe(system.snapshot(static_cast<Index>(5 * k)));
    }
    if (comm.is_root()) {
      check(rdf);
      digest = rdf.digest();
    }
  });
  return digest;
}

/// Counts pairs by distance in a direct sum over pairs.
std::vector<Index> direct_pair_counts(const Box& box, const std::vector<ObservedAtom>& atoms,
                                      const RadialDistributionConfig& config, Index a, Index b) {
  std::vector<Index> counts(static_cast<std::size_t>(config.bins));
  for (std::size_t i = 0; i < atoms.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const bool has_types =
          (atoms[i].type == a && atoms[j].type == b) || (atoms[i].type == b && atoms[j].type == a);
      const Vector3 d = box.difference(atoms[i].position, atoms[j].position);
      const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      if (has_types && r < config.r_max)
        ++counts[static_cast<std::size_t>(r / config.r_max * static_cast<double>(config.bins))];
    }
  return counts;
}

}  // namespace

TEST_CASE(
    "radial distribution: neighbour shells of an fcc crystal are exact on any number of ranks and "
    "threads") {
  const Box box({0, 0, 0}, {4, 4, 4});
  const auto atoms = fcc(4, box);
  // Shells at sqrt(k / 2): 12, 6, 24, 12, 24, 8, 48 neighbours (Ashcroft and Mermin, Table 4.5 has
  // the nearest ones).
  constexpr std::array<Index, 7> shells = {12, 6, 24, 12, 24, 8, 48};
  const RadialDistributionConfig config{1.95, 60, {}};
  std::uint64_t reference_digest = 0;
  for (const int ranks : {1, 2, 3, 5})
    for (const int threads : {1, 3}) {
      CAPTURE(ranks);
      const auto digest = observe(ranks, threads, box, {atoms}, 1, config, [&](const auto& rdf) {
        std::vector<Index> expected(60);
        Index coordination = 0;
        for (std::size_t k = 0; k < shells.size(); ++k) {
          const double r = std::sqrt(static_cast<double>(k + 1) / 2);
          expected[static_cast<std::size_t>(r / 1.95 * 60)] += shells[k] * 256 / 2;
          coordination += shells[k];
        }
        for (Index bin = 0; bin < 60; ++bin) {
          CAPTURE(bin);
          CHECK(rdf.pairs(0, 0, bin) == expected[static_cast<std::size_t>(bin)]);
        }
        CHECK(rdf.coordination(0, 0, 59).mean ==
              doctest::Approx(static_cast<double>(coordination)));
      });
      if (reference_digest == 0) reference_digest = digest;
      CHECK(digest == reference_digest);
    }
}

TEST_CASE("radial distribution: counts agree with a sum over all pairs in boxes of any shape") {
  using B = Boundary;
  const std::array<Box, 4> boxes = {
      Box({-3, 1, 2}, {7, 8, 9}), Box({0, 0, 0}, {8, 7, 9}, {3.5, -2, 3}),
      Box({-1, 0, 1}, {6, 7, 4}, {}, {B::periodic, B::periodic, B::open}),
      Box({-1, 0, 1}, {3, 2, 5}, {}, {B::open, B::open, B::open})};
  for (const Box& box : boxes) {
    const auto atoms = random_gas(box, 211, 3, 7);
    for (const double r_max : {0.7, 2.0}) {
      RadialDistributionConfig config{r_max, 23, {"C", "A"}};
      std::uint64_t reference_digest = 0;
      for (const int ranks : {1, 2, 3, 5}) {
        CAPTURE(ranks);
        CAPTURE(r_max);
        const auto digest = observe(ranks, 2, box, {atoms}, 3, config, [&](const auto& rdf) {
          const auto cc = direct_pair_counts(box, atoms, config, 2, 2);
          const auto ac = direct_pair_counts(box, atoms, config, 0, 2);
          const auto aa = direct_pair_counts(box, atoms, config, 0, 0);
          Index total = 0;
          for (Index bin = 0; bin < config.bins; ++bin) {
            const auto k = static_cast<std::size_t>(bin);
            total += ac[k];
            CHECK(rdf.pairs(0, 0, bin) == cc[k]);
            CHECK(rdf.pairs(0, 1, bin) == ac[k]);
            CHECK(rdf.pairs(1, 1, bin) == aa[k]);
          }
          CHECK(total > 0);
          // the mean number of A atoms around each of the 70 C atoms
          CHECK(rdf.coordination(0, 1, config.bins - 1).mean ==
                doctest::Approx(static_cast<double>(total) / 70));
        });
        if (reference_digest == 0) reference_digest = digest;
        CHECK(digest == reference_digest);
      }
    }
  }
}

TEST_CASE("radial distribution: an ideal gas has g = 1 within standard errors") {
  const Box box({0, 0, 0}, {6, 6, 6}, {2, -1, 1});
  std::vector<std::vector<ObservedAtom>> snapshots;
  for (std::uint64_t k = 0; k < 160; ++k) snapshots.push_back(random_gas(box, 60, 2, 100 + k));
  observe(1, 2, box, snapshots, 2, {2.4, 12, {}}, [](const auto& rdf) {
    double chi2 = 0, largest = 0;
    int n = 0;
    for (const auto& [a, b] : {std::pair{0, 0}, std::pair{0, 1}, std::pair{1, 1}})
      for (Index bin = 3; bin < 12; ++bin) {  // bins at smaller distances have few counts
        const BlockedMean g = rdf.g(a, b, bin);
        REQUIRE(g.has_error());
        CHECK(g.count == 160);
        CHECK(g.standard_error < 0.12);
        const double z = (g.mean - 1) / g.standard_error;
        chi2 += z * z;
        largest = std::fmax(largest, std::abs(z));
        ++n;
      }
    CHECK(largest < 4);
    CHECK(chi2 > 0.4 * n);
    CHECK(chi2 < 1.8 * n);
    const auto estimates = rdf.estimates();
    REQUIRE(estimates.size() == 3);
    CHECK(estimates[1].name == "rdf.peak.A-B");
    CHECK(estimates[1].mean > 1);
  });
}

TEST_CASE("radial distribution: a run resumed on other ranks has the same bits") {
  const Box box({0, 0, 0}, {5, 6, 7});
  std::vector<std::vector<ObservedAtom>> snapshots;
  for (std::uint64_t k = 0; k < 9; ++k) snapshots.push_back(random_gas(box, 50, 2, k));
  const RadialDistributionConfig config{2.5, 10, {}};
  const auto uninterrupted = observe(1, 1, box, snapshots, 2, config, [](const auto&) {});
  for (std::size_t restart_frame = 0; restart_frame <= snapshots.size(); restart_frame += 3) {
    MemoryDatasets::Contents state;
    const auto run = [&](int ranks, std::size_t first, std::size_t last, bool resumed) {
      std::uint64_t digest = 0;
      run_in_process(ranks, [&](Communicator comm) {
        ObservedSystem system(comm, box, snapshots[0], {1, 1});
        RadialDistribution rdf("rdf", {.every = 5}, config, system.setup);
        system.start(snapshots[0], rdf.reach());
        if (resumed) {
          MemoryDatasets memory(comm, state);
          rdf.restore(memory);
        }
        for (std::size_t k = first; k < last; ++k) {
          system.update(snapshots[k], rdf.reach());
          rdf.observe(system.snapshot(static_cast<Index>(5 * k)));
        }
        MemoryDatasets memory(comm);
        rdf.save(memory);
        MemoryDatasets results(comm);
        rdf.write_results(results);
        if (comm.is_root()) {
          state = memory.contents();
          digest = rdf.digest();
          CHECK(results.shape("observables/rdf/g_error").rows == 3 * 10);  // pairs of types, bins
        }
      });
      return digest;
    };
    run(3, 0, restart_frame, false);
    CHECK(run(2, restart_frame, snapshots.size(), true) == uninterrupted);
  }
}

TEST_CASE("radial distribution: distances beyond half the box and unknown types are refused") {
  const Box box({0, 0, 0}, {5, 6, 4});
  const auto atoms = random_gas(box, 10, 2, 1);
  ObservedSystem system(Communicator::self(), box, atoms, {1, 1, 1});
  RadialDistribution too_large("rdf", {.every = 1}, {2.1, 10, {}}, system.setup);
  system.start(atoms);
  CHECK_THROWS_AS(too_large.observe(system.snapshot(0)), InputError);
  const auto make = [&](std::vector<std::string> types) {
    RadialDistribution("rdf", {.every = 1}, {1, 10, std::move(types)}, system.setup);
  };
  CHECK_THROWS_WITH_AS(make({"A", "D"}), doctest::Contains("no atom type `D`"), InputError);
  CHECK_THROWS_WITH_AS(make({"A", "A"}), doctest::Contains("twice"), InputError);
  CHECK_THROWS_WITH_AS(make({"C"}), doctest::Contains("no atom is of type `C`"), InputError);
}
