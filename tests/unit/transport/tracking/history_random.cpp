#include "gsim/transport/history_random.hpp"

#include <cmath>
#include <set>
#include <vector>

#include <doctest/doctest.h>

using namespace gsim;
using gsim::transport_kernels::HistoryRandom;
using transport::RandomState;

namespace {

const PhiloxKey key = stream_key({7, Purpose::transport_history});

}  // namespace

TEST_CASE("history random: numbers are those of the Philox blocks of the history and branch") {
  const std::uint64_t history = 0x123456789abcdull;
  for (const std::uint64_t branch : {std::uint64_t{0}, std::uint64_t{0xfedcba9876}}) {
    HistoryRandom random(key, RandomState{history, branch << 24});
    for (std::uint32_t block = 0; block < 20; ++block) {
      const auto expected = uniforms<double>(philox_block(key, history, branch, block));
      CHECK(random.uniform() == expected[0]);
      CHECK(random.uniform() == expected[1]);
    }
  }
}

TEST_CASE("history random: a stream continues from any saved state") {
  HistoryRandom original(key, 99);
  for (int i = 0; i < 37; ++i) {
    HistoryRandom resumed(key, original.state());
    HistoryRandom before_draw(key, original.state());
    CHECK(resumed.uniform() == original.uniform());
    CHECK(before_draw.state().position + 1 == original.state().position);
    CHECK(resumed.state() == original.state());
  }
}

TEST_CASE("history random: a 32-bit word is the leading bits of the next double") {
  HistoryRandom a(key, 5), b(key, 5);
  for (int i = 0; i < 10; ++i) CHECK(static_cast<double>(a.word()) == floor(b.uniform() * 0x1p32));
}

TEST_CASE(
    "history random: streams of secondaries are distinct and follow from the state of the parent") {
  HistoryRandom parent(key, 3);
  std::set<std::uint64_t> branches;
  for (int draw = 0; draw < 200; ++draw) {
    for (std::uint32_t n = 0; n < 50; ++n) {
      const RandomState child = parent.child(n);
      CHECK(child.history == 3);
      CHECK(child.position % (std::uint64_t{1} << 24) == 0);
      CHECK(child.position != 0);
      branches.insert(child.position);
    }
    parent.uniform();
  }
  CHECK(branches.size() == 200 * 50);  // a coincidence has the probability 5e-5
  CHECK(HistoryRandom(key, 3).child(7) == HistoryRandom(key, 3).child(7));
  CHECK(HistoryRandom(key, HistoryRandom(key, 3).child(0)).child(0) !=
        HistoryRandom(key, 3).child(0));
}

TEST_CASE("history random: after 2^24 numbers a branch continues in another one") {
  const std::uint64_t last = (std::uint64_t{1} << 24) - 1;
  HistoryRandom random(key, RandomState{1, last});
  const auto last_block = uniforms<double>(philox_block(key, std::uint64_t{1}, 0, (1u << 23) - 1));
  CHECK(random.uniform() == last_block[1]);
  const std::uint64_t next = random.state().position;
  CHECK(next % (last + 1) == 0);
  CHECK(next != 0);
  const auto first_block = uniforms<double>(philox_block(key, std::uint64_t{1}, next >> 24, 0));
  CHECK(random.uniform() == first_block[0]);
}

TEST_CASE("history random: numbers are uniform, and successive numbers uncorrelated") {
  constexpr int n = 1 << 18;
  double sum = 0, sum_of_squares = 0, products = 0, last = 0.5;
  int count = 0;
  for (std::uint64_t history = 0; count < n; ++history) {
    HistoryRandom random(key, history);
    for (int i = 0; i < 13; ++i, ++count) {
      const double u = random.uniform() - 0.5;
      sum += u;
      sum_of_squares += u * u;
      products += u * last;
      last = u;
    }
  }
  // Variances of the terms: 1/12, 1/180, 1/144.
  CHECK(std::abs(sum / sqrt(count / 12.0)) < 4);
  CHECK(std::abs((sum_of_squares - count / 12.0) / sqrt(count / 180.0)) < 4);
  CHECK(std::abs(products / sqrt(count / 144.0)) < 4);
}
