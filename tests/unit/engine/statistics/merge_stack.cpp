#include "gsim/engine/merge_stack.hpp"

#include <string>
#include <vector>

#include <doctest/doctest.h>

using gsim::Index;
using gsim::IndexRange;
using gsim::MergeStack;

namespace {

/// A value that records as text the tree by which it was merged.
struct Tree {
  std::string text;
};
Tree merge(const Tree& a, const Tree& b) { return {"(" + a.text + b.text + ")"}; }

struct Real {
  double value;
};
Real merge(const Real& a, const Real& b) { return {a.value + b.value}; }

Tree leaf(Index b) { return {std::to_string(b) + ","}; }

MergeStack<Tree> range(Index first, Index last) {
  MergeStack<Tree> stack;
  for (Index b = first; b < last; ++b) stack.push_block(b, leaf(b));
  return stack;
}

/// Terms of very different size, so that any other order of addition changes the result.
Real term(Index b) { return {(b % 3 == 0 ? 1e16 : 1.0) / static_cast<double>(b + 1)}; }

}  // namespace

TEST_CASE(
    "merge stack: complete trees of 2, 4, 8 and more blocks are merged first, and then those that "
    "remain") {
  CHECK(range(0, 8).total().text == "(((0,1,)(2,3,))((4,5,)(6,7,)))");
  CHECK(range(0, 5).total().text == "(((0,1,)(2,3,))4,)");
  CHECK(range(0, 7).total().text == "((((0,1,)(2,3,))(4,5,))6,)");
}

TEST_CASE("merge stack: any division into ranges gives the same tree") {
  for (Index n = 1; n <= 40; ++n) {
    const std::string expected = range(0, n).total().text;
    for (Index a = 0; a <= n; ++a) {
      for (Index b = a; b <= n; b += 3) {
        MergeStack<Tree> stack = range(0, a);
        stack.append(range(a, b));
        stack.append(range(b, n));
        REQUIRE(stack.total().text == expected);
      }
    }
  }
}

TEST_CASE("merge stack: sums have the same bits for any number of parts") {
  const Index n = 1000;
  MergeStack<Real> expected;
  for (Index b = 0; b < n; ++b) expected.push_block(b, term(b));
  for (Index parts : {1, 2, 3, 4, 7, 64, 999, 1000, 2000}) {
    MergeStack<Real> merged;
    for (Index p = 0; p < parts; ++p) {
      const IndexRange r = gsim::partition({0, n}, parts, p);
      MergeStack<Real> part;
      for (Index b = r.first; b < r.last; ++b) part.push_block(b, term(b));
      merged.append(part);
    }
    CHECK(merged.total().value == expected.total().value);
  }
}

TEST_CASE("merge stack: a range keeps at most 2 log2(n) nodes") {
  CHECK(range(1, 1024).nodes().size() <= 20);
  CHECK(range(0, 1024).nodes().size() == 1);
  CHECK(range(333, 777).nodes().size() <= 18);
}
