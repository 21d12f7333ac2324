#include "gsim/core/exact_sum.hpp"

#include <array>
#include <limits>

#include <doctest/doctest.h>

using gsim::ExactSum;

TEST_CASE("exact sum: the sum of extreme terms is exact") {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  ExactSum sum;
  for (int i = 0; i < 1000; ++i) sum.add(largest);
  for (int i = 0; i < 1000; ++i) sum.add(-largest);
  sum.add(3);
  CHECK(sum.value(0.25) == 0.75);
  CHECK(sum == ExactSum::from_parts(std::array<std::int64_t, 4>{3, 0, 0, 0}.data()));
}

TEST_CASE("exact sum: parts of several ranks add up to the sum") {
  constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
  const std::array<std::int64_t, 6> terms = {smallest, -1, 0, 1, smallest, 0x123456789abcdef};
  ExactSum total;
  std::array<std::int64_t, ExactSum::parts> parts{};
  for (const std::int64_t term : terms) {
    total.add(term);
    ExactSum single;
    single.add(term);
    std::array<std::int64_t, ExactSum::parts> term_parts{};
    single.to_parts(term_parts.data());
    CHECK(ExactSum::from_parts(term_parts.data()) == single);
    for (std::size_t k = 0; k < term_parts.size(); ++k) parts[k] += term_parts[k];
  }
  CHECK(ExactSum::from_parts(parts.data()) == total);
  CHECK(total.value(1.0) == -18446744073709551616.0 + 0x123456789abcdef);
}
