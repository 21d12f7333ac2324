// Tests load balancing: each rank gets work in proportion to its speed, and the same cuts result
// from any initial distribution of the particles among ranks.

#include "gsim/domain/load_balancer.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <mutex>

#include <doctest/doctest.h>

#include "gsim/domain/work_shares.hpp"
#include "tests/unit/domain/particles/particles.hpp"

using namespace gsim;

namespace {

/// A droplet in vapour: most particles are in a small corner region and have a larger weight.
std::vector<FixedPosition> droplet(const Box& box, Index count) {
  auto all = test::random_positions(box, count, /*seed=*/11);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % 8 != 0)
      for (auto& x : all[i].x) x = (std::uint64_t{1} << 60) + x / 8;
  return all;
}
std::int64_t weight_of(std::size_t i) { return i % 8 != 0 ? 60 + static_cast<int>(i % 5) : 3; }

struct Outcome {
  std::vector<Brick> bricks;
  std::vector<double> load;  // by rank, as a fraction of the total
};

Outcome balance(int ranks, bool by_speed, bool scattered) {
  const Box box({0, 0, 0}, {20, 20, 30});
  const auto all = droplet(box, 20000);
  Outcome outcome;
  std::mutex mutex;
  std::atomic<int> differing_ranks{0};
  run_in_process(ranks, [&](Communicator comm) {
    std::vector<FixedPosition> own_positions;
    std::vector<std::int64_t> weights;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (static_cast<int>(scattered ? i * 13 % 7 % static_cast<unsigned>(ranks) : 0) ==
          comm.rank()) {
        own_positions.push_back(all[i]);
        weights.push_back(weight_of(i));
      }
    const double speed = by_speed ? 1.0 + comm.rank() : 1.0;
    const Decomposition d = balanced_decomposition(comm, box, own_positions, weights, speed);
    std::vector<Brick> bricks;
    for (int r = 0; r < ranks; ++r) bricks.push_back(d.brick(r));
    const std::lock_guard lock(mutex);
    if (!outcome.bricks.empty()) {
      differing_ranks += bricks != outcome.bricks;
      return;
    }
    outcome.bricks = bricks;
    outcome.load.resize(static_cast<std::size_t>(ranks));
    double total = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto w = static_cast<double>(weight_of(i));
      outcome.load[static_cast<std::size_t>(d.owner(all[i]))] += w;
      total += w;
    }
    for (double& load : outcome.load) load /= total;
  });
  CHECK(differing_ranks == 0);
  return outcome;
}

}  // namespace

TEST_CASE("load balance: the work of a droplet is divided evenly, or in proportion to speeds") {
  for (int ranks : {1, 2, 3, 5, 7, 8})
    for (const bool by_speed : {false, true}) {
      const Outcome o = balance(ranks, by_speed, /*scattered=*/true);
      for (int r = 0; r < ranks; ++r) {
        const double share = by_speed ? (1.0 + r) * 2 / (ranks * (ranks + 1)) : 1.0 / ranks;
        // The error of each cut is less than the weight of one particle, 64 of about 1.1 million.
        CHECK(std::abs(o.load[static_cast<std::size_t>(r)] - share) < 4 * 64 / 1.1e6);
      }
      CHECK(o.bricks == balance(ranks, by_speed, /*scattered=*/false).bricks);
    }
}

TEST_CASE("load balance: without particles, or with all at one point, every rank gets a brick") {
  const Box box({0, 0, 0}, {1, 1, 1});
  const std::vector<FixedPosition> at_one_point(50, FixedPosition{{5, 5, 5}});
  for (int ranks : {2, 5, 8})
    for (const auto& positions : {std::vector<FixedPosition>{}, at_one_point})
      CHECK_NOTHROW(run_in_process(
          ranks, [&](Communicator comm) { balanced_decomposition(comm, box, positions, {}); }));
  const std::int64_t negative[] = {-1};
  CHECK_THROWS_AS(
      balanced_decomposition(Communicator::self(), box, std::span(at_one_point).first(1), negative),
      InputError);
  CHECK_THROWS_AS(balanced_decomposition(Communicator::self(), box, {}, {}, 0.0), InputError);
}

TEST_CASE("load balance: imbalance is maximum divided by mean") {
  std::atomic<int> errors{0};
  run_in_process(4, [&](Communicator comm) {
    errors += imbalance(comm, comm.rank() == 2 ? 5.0 : 1.0) != 2.5;
    errors += imbalance(comm, 0.0) != 1.0;
  });
  CHECK(errors == 0);
}

TEST_CASE(
    "load balance: the speed of a rank is its median over intervals, and unknown speeds are the "
    "mean of the others") {
  std::atomic<int> errors{0};
  run_in_process(3, [&](Communicator comm) {
    SpeedMeter meter;
    errors += meter.speed(comm, 100) != 1.0;  // no rank has worked yet
    const auto add_interval = [&](double seconds, Index steps) {
      if (comm.rank() < 2) meter.add(seconds * (1 + comm.rank()));
      meter.end_interval(steps);
    };
    // A step takes 2 s on rank 0 and 4 s on rank 1. The second interval is disturbed (100 s per
    // step on rank 0), and the fourth has 0 steps and is ignored.
    add_interval(20, 10), add_interval(1000, 10), add_interval(10, 5), add_interval(7777, 0),
        add_interval(8, 4), add_interval(6, 3);
    const double expected[] = {100, 50, 75};  // 200 / 2 s, 200 / 4 s, and their mean
    errors += meter.speed(comm, 200) != expected[comm.rank()];
    errors += meter.speed(comm, 200) != expected[comm.rank()];  // nothing has changed
    add_interval(1, 1);
    const double next[] = {150, 75, 112.5};  // means of old and new speeds: 200, 100, 150
    errors += meter.speed(comm, 200) != next[comm.rank()];
  });
  CHECK(errors == 0);
}

TEST_CASE(
    "WorkShares: unequal ranks get shares by their measured speeds, equal ones equal shares") {
  std::atomic<int> errors = 0;
  run_in_process(3, [&](Communicator comm) {
    const auto rank = static_cast<std::size_t>(comm.rank());
    WorkShares shares;
    const auto sizes = [&] {
      const ReplicatedDecomposition parts = shares.divide(comm, {10, 910});
      return std::array<Index, 3>{parts.range(0).size(), parts.range(1).size(),
                                  parts.range(2).size()};
    };
    errors += sizes() != std::array<Index, 3>{300, 300, 300};  // nothing is measured
    // Rank 0 computes 100, rank 1 200 and rank 2 300 items a second, whatever their shares are.
    const double speed[] = {100, 200, 300};
    for (int round = 0; round < 3; ++round) {
      const Index mine = sizes()[rank];
      shares.measure(comm, mine, static_cast<double>(mine) / speed[rank]);
    }
    errors += sizes() != std::array<Index, 3>{150, 300, 450};
    // Times too short to measure change nothing.
    shares.measure(comm, 1, 1e-4);
    errors += sizes() != std::array<Index, 3>{150, 300, 450};
    // A rank that stood still keeps a share, by which it is measured again.
    WorkShares stopped;
    stopped.measure(comm, 300, comm.rank() == 1 ? 1e9 : 1.0);
    errors += stopped.divide(comm, {0, 900}).range(1).size() < 5;
    // So does one that was slow in one short batch: here an item takes 0.1 ms.
    WorkShares delayed;
    for (int round = 0; round < 40; ++round) {
      const Index mine = delayed.divide(comm, {0, 900}).range(comm.rank()).size();
      const double delay = round == 0 && comm.rank() == 1 ? 3 : 0;
      delayed.measure(comm, mine, 1e-4 * static_cast<double>(mine) + delay);
    }
    errors += delayed.divide(comm, {0, 900}).range(1).size() < 270;
    // Differences of less than 5 % are noise.
    WorkShares noisy;
    noisy.measure(comm, 300, 1.0 + 0.02 * comm.rank());
    errors += !noisy.speeds().empty();
  });
  CHECK(errors == 0);
}
