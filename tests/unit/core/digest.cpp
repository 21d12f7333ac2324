#include "gsim/core/digest.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

using gsim::Digest;

TEST_CASE("digest: the empty input has XXH3's published value") {
  // xxHash 0.8: XXH3_64bits of the empty input with seed 0 (xxhsum sanity checks).
  CHECK(Digest().value() == 0x2D06800538D394C2ull);
}

TEST_CASE("digest: adding data in pieces gives the same value as adding it at once") {
  std::vector<double> v(5000);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.1 * static_cast<double>(i);
  Digest whole, pieces, one_by_one;
  whole.add(std::span<const double>(v));
  pieces.add(std::span<const double>(v).first(1234)).add(std::span<const double>(v).subspan(1234));
  for (const double x : v) one_by_one.add(x);
  CHECK(whole.value() == pieces.value());
  CHECK(whole.value() == one_by_one.value());
  v[4999] = std::nextafter(v[4999], 1e9);
  Digest changed;
  changed.add(std::span<const double>(v));
  CHECK(changed.value() != whole.value());
}

TEST_CASE("digest: all NaNs are equal, zeros of different sign are not") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Digest a, b, plus, minus;
  CHECK(a.add(nan).value() == b.add(-nan).value());
  CHECK(plus.add(0.0).value() != minus.add(-0.0).value());
}

TEST_CASE("digest: the division into strings changes the digest") {
  Digest a, b;
  CHECK(a.add("ab").add("c").value() != b.add("a").add("bc").value());
}

TEST_CASE("hex: returns the leading digits of a number") {
  CHECK(gsim::hex(0x5f1c9e0a77b2aabbull, 12) == "5f1c9e0a77b2");
  CHECK(gsim::hex(0xabull) == "00000000000000ab");
}
