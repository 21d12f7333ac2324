// Cluster pair lists that are shortened between rebuilds contain every pair within the cutoff in
// every step, on one or several ranks and in a box that changes; and the choice of their radius.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/neighbour_lists/cluster_pairs.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "unit/md/forces/exclusion_lists.hpp"

using namespace gsim;
using namespace gsim::md;

namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;  // two ids, the lower one first

/// The number of times that each pair of ids below `atoms` is listed.
class PairCounts {
 public:
  explicit PairCounts(std::size_t atoms) : atoms_(atoms), counts_(atoms * atoms) {}
  std::uint8_t& operator[](const Pair& pair) {
    return counts_[static_cast<std::size_t>(pair.first) * atoms_ +
                   static_cast<std::size_t>(pair.second)];
  }

 private:
  std::size_t atoms_;
  std::vector<std::uint8_t> counts_;
};

constexpr double cutoff = 1.6;

/// Atoms that move at constant velocity, the first `slow` ones more slowly.
class Gas {
 public:
  Gas(std::size_t atoms, unsigned seed, std::size_t slow = 0) : random_(seed) {
    for (std::size_t k = 0; k < atoms; ++k) {
      positions.push_back({{random_(), random_(), random_()}});
      // All at the same speed, so that many approach each other as fast as lists allow.
      const double step[3] = {uniform(), uniform(), uniform()};
      const double scale = (k < slow ? 0.018 : 0.03) / std::hypot(step[0], step[1], step[2]);
      steps_.push_back({});
      for (std::size_t a = 0; a < 3; ++a)
        steps_.back().x[a] = static_cast<std::uint64_t>(
            static_cast<std::int64_t>(scale * step[a] / start.lengths()[a] * 0x1p64));
    }
  }
  void move() {
    for (std::size_t k = 0; k < positions.size(); ++k)
      for (std::size_t a = 0; a < 3; ++a) positions[k].x[a] += steps_[k].x[a];
  }
  double uniform() { return static_cast<double>(random_() >> 11) * 0x1p-53 - 0.5; }
  double distance(const Box& box, std::size_t i, std::size_t j) const {
    const Vector3 d = box.difference(positions[i], positions[j]);
    return std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  }

  /// Pairs within the cutoff that are not excluded: whose ids differ by more than one.
  std::vector<Pair> find_pairs_within_cutoff(const Box& box) const {
    std::vector<Pair> pairs_within_cutoff;
    const auto n = static_cast<std::int64_t>(positions.size());
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = i + 2; j < n; ++j)
        if (distance(box, static_cast<std::size_t>(i), static_cast<std::size_t>(j)) < cutoff)
          pairs_within_cutoff.emplace_back(i, j);
    return pairs_within_cutoff;
  }

  const Box start = Box({0, 0, 0}, {7, 6.5, 6}, {0.7, -0.4, 0.5});
  std::vector<FixedPosition> positions;

 private:
  std::mt19937_64 random_;
  std::vector<FixedPosition> steps_;
};

/// One rank's lists of a gas: atoms [first, last) are its own, all others its ghosts.
template <class Real>
struct Rank {
  Rank(const Box& box, double skin, std::size_t first, std::size_t last)
      : lists(Executor::host(2), box, cutoff, skin), first(first), last(last) {}

  void copy(const Gas& gas) {
    ids.clear();
    const auto n = static_cast<std::int64_t>(gas.positions.size());
    for (std::size_t k = first; k < last; ++k) ids.push_back(static_cast<std::int64_t>(k));
    for (std::int64_t k = 0; k < n; ++k)
      if (k < ids.front() || k >= static_cast<std::int64_t>(last)) ids.push_back(k);
    atoms.clear();
    for (const std::int64_t id : ids) atoms.push_back(gas.positions[static_cast<std::size_t>(id)]);
  }
  View<const FixedPosition> positions() const {
    return {atoms.data(), static_cast<Index>(atoms.size())};
  }
  void rebuild() {
    Exclusions exclusions(lists.executor());  // of atoms that differ by one in their ids
    exclude(exclusions, ids, locals(), [](std::int64_t id) { return std::array{id - 1, id + 1}; });
    lists.rebuild({positions(), locals(), {}, {}, {ids.data(), positions().size}}, &exclusions);
  }
  Index locals() const { return static_cast<Index>(last - first); }

  /// The number of times that each pair is in the lists over which kernels run.
  PairCounts count_computed_pairs() const {
    PairCounts found(atoms.size());
    count_pairs(lists.local_pass(), lists.locals(), found);
    count_pairs(lists.ghost_pass(), lists.ghosts(), found);
    return found;
  }
  void count_pairs(const ClusterPass<Real>& pass, const Clustering& j, PairCounts& found) const {
    const auto id = [&](std::int32_t row) { return ids[static_cast<std::size_t>(row)]; };
    for (const ClusterChunk& chunk : pass.chunks)
      for (const ClusterRow& row : chunk.rows)
        for (Index n = row.first; n < row.last; ++n)
          for (int bit = 0; bit < 16; ++bit) {
            const ClusterNeighbour& neighbour = chunk.neighbours[n];
            if (n >= row.unmasked && neighbour.mask != 0xffffu)
              FAIL("an entry with a partial mask among the entries without masks");
            if ((neighbour.mask >> bit & 1) != 0)
              ++found[std::minmax(id(lists.locals().atom(row.i, bit / 4)),
                                  id(j.atom(neighbour.j, bit % 4)))];
          }
  }

  ClusterPairs<Real> lists;
  std::size_t first, last;
  std::vector<std::int64_t> ids;
  std::vector<FixedPosition> atoms;
};

/// Numbers of steps, rebuilds and shortened lists of a gas in a box that oscillates.
struct RunCounts {
  int rebuilds = 0, shortenings = 0, steps = 0;
};

/// Each rank shortens its lists when they are due, or all ranks do when those of any rank are.
enum class ShortenPolicy { per_rank, all_ranks };

/// Passes the new positions to the lists of all ranks, and shortens lists that are due. Returns the
/// worst state of the lists.
template <class Real>
ListState read_all(std::vector<Rank<Real>>& ranks, ShortenPolicy policy) {
  ListState worst = ListState::good;
  for (auto& rank : ranks) {
    const ListState state = rank.lists.read_locals(rank.positions());
    if (policy == ShortenPolicy::per_rank && state == ListState::due) rank.lists.shorten_lists();
    worst = std::max(worst, state);
  }
  if (policy == ShortenPolicy::all_ranks && worst == ListState::due)
    for (auto& rank : ranks) rank.lists.shorten_lists();
  return worst;
}

/// Moves the gas and checks the lists of all ranks in each of 40 steps.
template <class Real>
RunCounts run_gas(Gas& gas, std::vector<Rank<Real>>& ranks, double box_amplitude,
                  ShortenPolicy policy = ShortenPolicy::per_rank) {
  constexpr int steps = 40;
  RunCounts counts;
  for (; counts.steps < steps; ++counts.steps) {
    const double stretch = 1 + box_amplitude * std::sin(0.3 * counts.steps);
    const Box box = gas.start.stretched({stretch, 1 / stretch, stretch});
    for (auto& rank : ranks) {
      rank.copy(gas);
      rank.lists.set_box(box);
    }
    if (counts.steps == 0 || read_all(ranks, policy) == ListState::stale) {  // collective
      ++counts.rebuilds;
      for (auto& rank : ranks) {
        rank.rebuild();
        REQUIRE(rank.lists.load_locals(rank.positions()));
      }
    }
    const auto pairs_within_cutoff = gas.find_pairs_within_cutoff(box);
    for (auto& rank : ranks) {
      const Index pairs_before = rank.lists.cluster_pairs();
      rank.lists.load_ghosts(rank.positions());
      counts.shortenings += rank.lists.cluster_pairs() != pairs_before ? 1 : 0;
      check(pairs_within_cutoff, rank);
    }
    gas.move();
  }
  return counts;
}

/// Requires that every pair within the cutoff is in the lists of the ranks that own its atoms.
template <class Real>
void check(const std::vector<Pair>& pairs_within_cutoff, const Rank<Real>& rank) {
  PairCounts counts = rank.count_computed_pairs();
  const auto n = static_cast<std::int64_t>(rank.atoms.size());
  Index errors = 0;
  for (std::int64_t i = 0; i < n; ++i)  // no pair is computed twice, and no excluded pair at all
    for (std::int64_t j = i + 1; j < n; ++j) errors += counts[{i, j}] > (j == i + 1 ? 0 : 1);
  const auto is_own = [&](std::int64_t id) {
    return id >= static_cast<std::int64_t>(rank.first) && id < static_cast<std::int64_t>(rank.last);
  };
  for (const Pair& pair : pairs_within_cutoff)
    errors += (is_own(pair.first) || is_own(pair.second)) && counts[pair] == 0;
  REQUIRE(errors == 0);
}

template <class Real>
std::vector<Rank<Real>> make_ranks(const Gas& gas, double skin, std::size_t count) {
  std::vector<Rank<Real>> ranks;
  const std::size_t n = gas.positions.size();
  for (std::size_t r = 0; r < count; ++r)
    ranks.emplace_back(gas.start, skin, n * r / count, n * (r + 1) / count);
  return ranks;
}

}  // namespace

TEST_CASE_TEMPLATE("short lists: lists contain every pair within the cutoff in every step", Real,
                   float, double) {
  for (const std::size_t count : {1, 2, 3})
    for (const double box_amplitude : {0.0, 0.01})
      for (const ShortenPolicy policy : {ShortenPolicy::per_rank, ShortenPolicy::all_ranks}) {
        Gas gas(600, 7 + static_cast<unsigned>(count));
        auto ranks = make_ranks<Real>(gas, 0.8, count);
        const RunCounts counts = run_gas(gas, ranks, box_amplitude, policy);
        CHECK(counts.rebuilds > 2);
        CHECK(counts.rebuilds < counts.steps / 3);
        if (count > 1) CHECK(counts.shortenings > counts.rebuilds);
      }
}

TEST_CASE("short lists: lists contain every pair if ghosts are faster than local atoms") {
  for (const ShortenPolicy policy : {ShortenPolicy::per_rank, ShortenPolicy::all_ranks}) {
    Gas gas(600, 31, 300);
    auto ranks = make_ranks<float>(gas, 0.8, 2);
    const RunCounts counts = run_gas(gas, ranks, 0.01, policy);
    CHECK(counts.rebuilds > 2);
    CHECK(counts.rebuilds < counts.steps / 3);
  }
}

TEST_CASE("short lists: without a skin lists are rebuilt in every step") {
  Gas gas(200, 5);
  auto ranks = make_ranks<float>(gas, 0, 2);
  CHECK(run_gas(gas, ranks, 0.01).rebuilds == 40);
}

TEST_CASE(
    "short lists: shortening removes cluster pairs, and lists are stale after half the skin") {
  Gas gas(400, 3);
  Rank<double> rank(gas.start, 1.0, 0, 400);
  rank.copy(gas);
  rank.rebuild();
  const Index all = rank.lists.cluster_pairs();
  REQUIRE(rank.lists.load_locals(rank.positions()));
  const Index pairs_at_start = rank.lists.cluster_pairs();
  CHECK(pairs_at_start < all);
  // No atom moves: nothing changes.
  for (int k = 0; k < 5; ++k) {
    REQUIRE(rank.lists.load_locals(rank.positions()));
    CHECK(rank.lists.cluster_pairs() == pairs_at_start);
  }
  // An atom moves by almost half the skin: lists are shorter still. Beyond it they are stale.
  const auto move = [&](double x) {
    rank.atoms[17].x[0] += static_cast<std::uint64_t>(x / gas.start.lengths()[0] * 0x1p64);
    return rank.lists.load_locals(rank.positions());
  };
  CHECK(move(0.49));
  CHECK(rank.lists.cluster_pairs() < pairs_at_start);
  CHECK_FALSE(move(0.0101));
}

TEST_CASE("short lists: the chosen reach minimises the cost of a step") {
  // The cutoff, and the time to check a cluster pair divided by the time to compute it.
  ListSchedule schedule(2.5, 0.2);
  CHECK(schedule.choose_reach(0.4, 1.2) == doctest::Approx(0.1));  // before the first step
  CHECK(schedule.choose_reach(0, 1.2) == 0);
  schedule.record_shortening(3000, 2000);
  for (int k = 1; k <= 4; ++k) schedule.step(0.02 * k);
  // The optimum (list_schedule.hpp) is sqrt(0.2 * 1.5 * 0.02 * 3.7 / 6) = 0.0608; the available
  // distance is divided into a whole number of parts of about this size.
  CHECK(schedule.choose_reach(0.4, 1.2) == doctest::Approx(0.4 / 7));
  CHECK(schedule.choose_reach(0.08, 1.2) == doctest::Approx(0.08));
  // Lists of 2.66 in place of 3.3 have (3.86 / 4.5)^3 = 0.63 of the cluster pairs, for four steps.
  CHECK(schedule.saves_time(0.08, 0.8, 1.2));
  CHECK(schedule.saves_time(0.01, 0.8, 1.2));  // (3.72 / 4.5)^3 = 0.56, for one step
  CHECK_FALSE(schedule.saves_time(0.1, 0.21, 1.2));
  schedule.record_shortening(3000, 2000);
  schedule.step(0.3);  // lists last for at least one step
  CHECK(schedule.choose_reach(0.9, 1.2) == doctest::Approx(0.3));
}

TEST_CASE("full lists: their margin is at most 1.5 skins and at most 0.18 cutoffs, or the skin") {
  CHECK(widest_full_margin(2.5, 0.2) == doctest::Approx(0.3));
  CHECK(widest_full_margin(2.5, 0.3) == doctest::Approx(0.45));
  CHECK(widest_full_margin(2.5, 0.4) == doctest::Approx(0.45));
  CHECK(widest_full_margin(4.95, 2.0) == 2.0);
}

TEST_CASE(
    "short lists: the margin of the long lists is limited by the box and the number of ghosts") {
  const Box wide({0, 0, 0}, {30, 30, 30});
  CHECK(list_margin(wide, 1, 2.5, 0.3, widest_cluster_margin(0.3)) == doctest::Approx(0.75));
  // Cutoff and margin together are at most 4/5 of half the width; the margin is at least the skin.
  CHECK(list_margin(Box({0, 0, 0}, {30, 8, 30}), 1, 2.5, 0.3, widest_cluster_margin(0.3)) ==
        doctest::Approx(0.7));
  CHECK(list_margin(Box({0, 0, 0}, {30, 6, 30}), 1, 2.5, 0.3, widest_cluster_margin(0.3)) == 0.3);
  CHECK(list_margin(Box({0, 0, 0}, {30, 10, 30}), 1, 2.5, 0.3, widest_cluster_margin(0.3), 0.6) ==
        doctest::Approx(0.5));
  const Box open({0, 0, 0}, {30, 6, 30}, {},
                 {Boundary::periodic, Boundary::open, Boundary::periodic});
  CHECK(list_margin(open, 1, 2.5, 0.3, widest_cluster_margin(0.3)) == doctest::Approx(0.75));
  // 27000 ranks with a volume of 1 each: the ghosts at a skin of 0.5 are (1 + 2 * 1.5)^3 - 1 = 63
  // times the local atoms, and 1.5 times as many within (95.5^(1/3) - 1) / 2 = 1.78545.
  CHECK(list_margin(wide, 8, 2.5, 0.3, widest_cluster_margin(0.3)) == doctest::Approx(0.75));
  CHECK(list_margin(wide, 27000, 1, 0.5, widest_cluster_margin(0.5)) == doctest::Approx(0.785447));
}
