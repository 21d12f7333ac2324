#include "gsim/exec/thread_pool.hpp"

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"

using namespace gsim;

TEST_CASE(
    "thread pool: every chunk runs exactly once, by a valid worker, for any number of threads") {
  for (int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    CHECK(pool.threads() == threads);
    for (Index chunks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> hits(static_cast<std::size_t>(chunks));
      std::atomic<int> invalid_workers{0};
      pool.for_each(chunks, [&](Index chunk, int worker) {
        ++hits[static_cast<std::size_t>(chunk)];
        if (worker < 0 || worker >= threads) ++invalid_workers;
      });
      int errors = 0;
      for (const auto& h : hits) errors += h != 1;
      CHECK(errors == 0);
      CHECK(invalid_workers == 0);
    }
  }
}

TEST_CASE("thread pool: memory that chunks write is visible after each call") {
  ThreadPool pool(4);
  std::vector<Index> values(64, 0);
  for (int round = 1; round <= 3000; ++round)
    pool.for_each(64, [&](Index chunk, int) { values[static_cast<std::size_t>(chunk)] += chunk; });
  for (Index i = 0; i < 64; ++i) CHECK(values[static_cast<std::size_t>(i)] == 3000 * i);
}

TEST_CASE("thread pool: chunks run concurrently") {
  ThreadPool pool(2);
  std::atomic<int> workers{0};
  // Each chunk waits for the other, so only two concurrent threads can finish.
  pool.for_each(2, [&](Index, int worker) {
    workers.fetch_or(1 << worker);
    while (workers.load() != 3) std::this_thread::yield();
  });
  CHECK(workers == 3);
}

TEST_CASE(
    "thread pool: the exception of the lowest chunk that throws is rethrown for any number of "
    "threads") {
  for (int threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (int round = 0; round < 50; ++round) {
      std::string caught;
      try {
        pool.for_each(200, [](Index chunk, int) {
          if (chunk % 17 == 11) throw std::runtime_error("chunk " + std::to_string(chunk));
        });
      } catch (const std::runtime_error& e) {
        caught = e.what();
      }
      CHECK(caught == "chunk 11");
    }
    Index sum = 0;  // the pool remains usable
    std::vector<Index> parts(10);
    pool.for_each(10, [&](Index chunk, int) { parts[static_cast<std::size_t>(chunk)] = chunk; });
    sum = std::accumulate(parts.begin(), parts.end(), sum);
    CHECK(sum == 45);
  }
}

TEST_CASE(
    "thread pool: a nested call is an error instead of a deadlock; another pool may be used") {
  for (int threads : {1, 3}) {
    ThreadPool pool(threads), other(2);
    CHECK_THROWS_AS(pool.for_each(4, [&](Index, int) { pool.for_each(2, [](Index, int) {}); }),
                    Error);
    std::atomic<int> count{0};
    pool.for_each(3, [&](Index, int) { other.for_each(5, [&](Index, int) { ++count; }); });
    CHECK(count == 15);
  }
}

TEST_CASE("thread pool: calls from different threads are serialised") {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::vector<Index> sums(4, 0);
  for (std::size_t c = 0; c < sums.size(); ++c)
    callers.emplace_back([&, c] {
      for (int round = 0; round < 100; ++round) {
        std::vector<Index> parts(16, 0);
        pool.for_each(16,
                      [&](Index chunk, int) { parts[static_cast<std::size_t>(chunk)] = chunk; });
        sums[c] += std::accumulate(parts.begin(), parts.end(), Index{0});
      }
    });
  for (auto& caller : callers) caller.join();
  for (const Index sum : sums) CHECK(sum == 100 * 120);
}

TEST_CASE("thread pool: less than one thread is an error") {
  CHECK_THROWS_AS(ThreadPool(0), InputError);
  CHECK_THROWS_AS(ThreadPool(-3), InputError);
}
