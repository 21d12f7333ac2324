#include "gsim/comm/communicator.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "support/collectives.hpp"

using namespace gsim;

using test::Bytes;
using test::check_collectives;

TEST_CASE("every collective operation agrees with the reference on 1 to 8 in-process ranks") {
  for (int ranks : {1, 2, 3, 4, 5, 8})
    CHECK_NOTHROW(run_in_process(ranks, [](Communicator comm) {
      for (int round = 0; round < 12; ++round) check_collectives(comm, round);
    }));
}

TEST_CASE("every collective operation works on a single rank without a launcher") {
  const Communicator self = Communicator::self();
  CHECK(self.size() == 1);
  CHECK(self.is_root());
  CHECK(self.backend().mpi_communicator() == nullptr);
  for (int round = 0; round < 12; ++round) CHECK_NOTHROW(check_collectives(self, round));
  std::vector<Bytes> two_parts(2);
  CHECK_THROWS_AS(self.backend().exchange(two_parts), CommError);
  CHECK_THROWS_AS(self.broadcast(1, 1), CommError);
}

TEST_CASE("minimum and maximum of real numbers, and exact real sums, on 1 to 5 ranks") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (int ranks : {1, 2, 3, 5}) {
    std::atomic<int> mismatches{0};
    run_in_process(ranks, [&](Communicator comm) {
      const int rank = comm.rank(), n = comm.size();
      mismatches += comm.min(rank - 0.25) != -0.25 || comm.max(rank - 0.25) != n - 1.25;
      mismatches += comm.min(-1e-300 * (rank + 1)) != -1e-300 * n;
      mismatches += comm.max(-1e300 / (rank + 1)) != -1e300 / n;
      mismatches += comm.min(static_cast<float>(rank) + 0.1f) != 0.1f;
      mismatches += comm.max(0.1f - static_cast<float>(rank)) != 0.1f;
      mismatches += comm.max(rank == n - 1 ? infinity : 0.0) != infinity;
      mismatches += comm.min(rank == 0 ? -infinity : 0.0) != -infinity;
      // -0 is less than +0, and a NaN on any rank makes the result NaN on all.
      mismatches += std::signbit(comm.min(rank == 0 ? -0.0 : 0.0)) != true;
      mismatches += std::signbit(comm.max(rank == 0 ? 0.0 : -0.0)) != false;
      mismatches += !std::isnan(comm.min(rank == n - 1 ? nan : 1.0));
      mismatches += !std::isnan(comm.max(rank == 0 ? -nan : infinity));
      mismatches += comm.max(static_cast<std::uint8_t>(rank)) != n - 1;
      std::vector<Superaccumulator> sums(2);
      sums[0].add(rank == 0 ? 1e300 : 1);
      sums[0].add(rank == n - 1 ? -1e300 : 0.5);
      sums[1].add_product(1e200, 1e200 * (rank + 1));
      comm.sum(sums);
      mismatches += sums[0].value() != (n == 1 ? 0 : (n - 1) * 1.5);
      mismatches += std::abs(sums[1].root() / (1e200 * std::sqrt(n * (n + 1) / 2)) - 1) > 1e-15;
      Superaccumulator sum;
      if (rank == 0) sum.add(infinity);
      comm.sum(sum);
      mismatches += sum.value() != infinity || sum.not_finite() != 1;
    });
    CHECK(mismatches == 0);
  }
}

TEST_CASE("typed collectives keep values, order and empty parts") {
  for (int ranks : {1, 3, 4}) {
    std::atomic<int> mismatches{0};
    run_in_process(ranks, [&](Communicator comm) {
      const int rank = comm.rank(), n = comm.size();
      const std::vector<double> own_values(static_cast<std::size_t>(rank),
                                           rank + 0.5);  // rank 0: none
      std::vector<double> all_values;
      for (int r = 0; r < n; ++r)
        all_values.insert(all_values.end(), static_cast<std::size_t>(r), r + 0.5);
      mismatches += comm.allgather(std::span<const double>(own_values)) != all_values;
      mismatches += comm.gather(std::span<const double>(own_values), n - 1) !=
                    (rank == n - 1 ? all_values : std::vector<double>{});
      mismatches += comm.broadcast(rank == 0 ? 2.5 : -1.0) != 2.5;
      mismatches += comm.broadcast(std::string(rank == n - 1 ? "Grüße" : "another, longer text"),
                                   n - 1) != "Grüße";
      mismatches += comm.broadcast(std::string(rank == 0 ? "" : "x")) != "";
      mismatches += comm.min(rank) != 0;
      mismatches += comm.max(rank) != n - 1;
      mismatches += comm.sum(rank + 1) != n * (n + 1) / 2;
      std::vector<ExactSum> sums(2);
      sums[0].add(-rank - 1);
      sums[1].add(std::numeric_limits<std::int64_t>::max());
      comm.sum(sums);
      mismatches += sums[0].value(1.0) != -n * (n + 1) / 2;
      ExactSum expected;
      for (int r = 0; r < n; ++r) expected.add(std::numeric_limits<std::int64_t>::max());
      mismatches += sums[1] != expected;
      mismatches += comm.any(rank == n - 1) != true;
      mismatches += comm.any(false) != false;
      std::vector<std::vector<int>> sent(static_cast<std::size_t>(n));
      for (int r = 0; r < n; ++r)
        sent[static_cast<std::size_t>(r)].assign(static_cast<std::size_t>(r), rank);
      const auto received = comm.exchange(sent);
      for (int r = 0; r < n; ++r)
        mismatches += received[static_cast<std::size_t>(r)] !=
                      std::vector<int>(static_cast<std::size_t>(rank), r);
      comm.barrier();
    });
    CHECK(mismatches == 0);
  }
}

TEST_CASE("an exception on one rank ends all ranks and is thrown to the caller") {
  for (int ranks : {1, 2, 5})
    for (int failing_rank = 0; failing_rank < ranks; ++failing_rank) {
      std::atomic<int> ranks_that_continued{0};
      std::string caught;
      try {
        run_in_process(ranks, [&](Communicator comm) {
          comm.barrier();
          if (comm.rank() == failing_rank) throw IoError("rank " + std::to_string(failing_rank));
          if (ranks > 1) comm.sum(1);  // would wait forever
          ++ranks_that_continued;
        });
      } catch (const IoError& e) {
        caught = e.what();
      }
      CHECK(caught == "rank " + std::to_string(failing_rank));
      CHECK(ranks_that_continued == 0);
    }
}

TEST_CASE("misuse that would hang an MPI run is an error on in-process ranks") {
  CHECK_THROWS_AS(run_in_process(3,
                                 [](Communicator comm) {
                                   if (comm.rank() != 1) comm.barrier();  // rank 1 returns
                                 }),
                  CommError);
  CHECK_THROWS_AS(run_in_process(2,
                                 [](Communicator comm) {
                                   if (comm.is_root())
                                     comm.barrier();
                                   else
                                     comm.sum(1);
                                 }),
                  CommError);
  CHECK_THROWS_AS(run_in_process(2,
                                 [](Communicator comm) {
                                   Bytes bytes(comm.is_root() ? 4 : 5);
                                   comm.backend().broadcast(bytes, 0);
                                 }),
                  CommError);
  CHECK_THROWS_AS(run_in_process(2, [](Communicator comm) { comm.broadcast(1, 2); }), CommError);
  CHECK_THROWS_AS(run_in_process(4,
                                 [](Communicator comm) {
                                   if (comm.rank() == 2) comm.backend().abort(1);
                                   comm.barrier();
                                 }),
                  CommError);
  CHECK_THROWS_AS(run_in_process(0, [](Communicator) {}), InputError);
}

TEST_CASE(
    "agree(): every rank throws the error of the lowest failing rank, with its type and text") {
  struct Case {
    std::function<void()> fail;
    int code;
    std::string text;
  };
  const std::vector<Case> cases = {
      {[] { throw InputError("bad key"); }, 2, "bad key"},
      {[] { throw IoError("no file"); }, 1, "no file"},
      {[] { throw NumericalError("NaN"); }, 1, "NaN"},
      {[] { throw std::runtime_error("other"); }, 1, "other"},
  };
  for (const Case& c : cases)
    for (int ranks : {1, 2, 4}) {
      std::atomic<int> correct_ranks{0};
      run_in_process(ranks, [&](Communicator comm) {
        comm.agree([] {});  // no rank fails
        const int first = comm.size() / 2;
        try {
          comm.agree([&] {
            if (comm.rank() == first) c.fail();
            if (comm.rank() > first) throw DeviceError("a later rank");
          });
        } catch (const std::exception& e) {
          const auto* const error = dynamic_cast<const Error*>(&e);
          const int code = error ? static_cast<int>(error->exit_code()) : 1;
          correct_ranks += c.text == e.what() && code == c.code;
        }
        comm.barrier();  // the ranks are still synchronised
      });
      CHECK(correct_ranks == ranks);
    }
}

TEST_CASE("agree() rethrows the failure of another rank during its body") {
  CHECK_THROWS_WITH_AS(run_in_process(3,
                                      [](Communicator comm) {
                                        if (comm.rank() == 0) throw IoError("closed");
                                        comm.agree([&] { comm.barrier(); });
                                      }),
                       "closed", IoError);
}
