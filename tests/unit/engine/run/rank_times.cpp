// Times of regions on all ranks, and times that ranks wait in collectives and messages.

#include "src/engine/run/rank_times.hpp"

#include <array>
#include <chrono>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/timer.hpp"

using namespace gsim;
using namespace gsim::engine;

TEST_CASE("rank times: minimum, mean and maximum of every region that any rank has") {
  run_in_process(3, [](Communicator comm) {
    const double r = comm.rank();
    const std::vector<RegionTime> before{{"read", 5, 1}};
    std::vector<RegionTime> after{{"read", 5, 1}, {"pairs", 2 + r, 0.5 * r}};
    if (comm.rank() == 2) after.push_back({"write", 3, 3});
    const RankTimes times = rank_times(comm, before, after);
    CHECK(times.ranks == 3);
    if (!comm.is_root()) {
      CHECK(times.regions.empty());
      return;
    }
    REQUIRE(times.regions.size() == 3);
    CHECK(times.regions[0].name == "read");
    CHECK(times.regions[0].busy.max == 0);
    CHECK(times.regions[1].name == "pairs");
    CHECK(times.regions[1].busy.min == 2);
    CHECK(times.regions[1].busy.mean == 2.5);
    CHECK(times.regions[1].busy.max == 3);
    CHECK(times.regions[1].waiting.mean == 0.5);
    CHECK(times.regions[2].busy.max == 0);
    CHECK(times.regions[2].waiting.mean == 1);
    CHECK(times.busy.mean == 2.5);
    CHECK(times.waiting.max == 4);
    CHECK(times.json().text().starts_with(
        R"({"busy":{"min":2,"mean":2.5,"max":3},"waiting":{"min":0)"));
    CHECK(times.json().text().find(R"("regions":{"read":{"busy":{"min":0)") != std::string::npos);
  });
}

TEST_CASE("rank times: waiting for another rank is measured in collectives and in messages") {
  run_in_process(2, [](Communicator comm) {
    const auto delay_rank_1 = [&] {
      if (comm.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(60));
    };
    const double seconds_before = seconds_waited();
    delay_rank_1();
    comm.barrier();
    const double first = seconds_waited() - seconds_before;
    delay_rank_1();
    const auto messages = comm.backend().make_messages();
    int sent = comm.rank(), received = -1;
    const OutgoingMessage outgoing{1 - comm.rank(), &sent, sizeof sent};
    const IncomingMessage incoming{1 - comm.rank(), &received, sizeof received};
    messages->post(0, {&outgoing, 1}, {&incoming, 1});
    messages->finish();
    CHECK(received == 1 - comm.rank());
    const std::array own_seconds = {first, seconds_waited() - seconds_before - first};
    const std::vector<double> seconds = comm.allgather(std::span<const double>(own_seconds));
    // Rank 0 waits for 60 ms each time, and rank 1 for less.
    CHECK(seconds[0] > 0.04);
    CHECK(seconds[1] > 0.04);
    CHECK(seconds[2] < seconds[0]);
    CHECK(seconds[3] < seconds[1]);
  });
  const double seconds_before = seconds_waited();
  Communicator::self().barrier();
  CHECK(seconds_waited() == seconds_before);
}
