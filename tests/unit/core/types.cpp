#include "gsim/core/types.hpp"

#include <initializer_list>

#include <doctest/doctest.h>

using namespace gsim;

TEST_CASE("partition() divides a range in order into parts whose sizes differ by at most one") {
  for (Index n : {0, 1, 5, 16, 1001})
    for (Index parts : {1, 2, 3, 7, 20}) {
      Index next = 10, smallest = n + 1, largest = 0;
      for (Index p = 0; p < parts; ++p) {
        const IndexRange r = partition({10, 10 + n}, parts, p);
        CHECK(r.first == next);
        next = r.last;
        smallest = r.size() < smallest ? r.size() : smallest;
        largest = r.size() > largest ? r.size() : largest;
      }
      CHECK(next == 10 + n);
      CHECK(largest - smallest <= 1);
    }
}

TEST_CASE("intersection() of ranges: overlapping, nested and disjoint ones") {
  CHECK(intersection({0, 5}, {3, 9}) == IndexRange{3, 5});
  CHECK(intersection({3, 9}, {0, 5}) == IndexRange{3, 5});
  CHECK(intersection({0, 9}, {2, 4}) == IndexRange{2, 4});
  CHECK(intersection({0, 2}, {5, 9}) == IndexRange{5, 5});
  CHECK(intersection({5, 9}, {0, 2}).empty());
}
