// Every lane of every pack width gives the bits of the scalar.
#include <cstring>

#include <doctest/doctest.h>

#include "gsim/math/elementary.hpp"
#include "inputs.hpp"

using namespace gsim;

namespace {

/// The functions that simulations call in their inner loops, and those with special lanes.
template <class R>
void evaluate(R x, R (&out)[9]) {
  out[0] = gsim::exp<Strict>(x);
  out[1] = gsim::log<Strict>(x);
  out[2] = gsim::sin<Strict>(x);
  out[3] = gsim::cos<Strict>(x);
  out[4] = gsim::erfc<Strict>(x);
  out[5] = normal_cdf<Strict>(x);
  out[6] = normal_inverse<Strict>(x);
  out[7] = gsim::expm1<Strict>(x);
  out[8] = gsim::pow<Strict>(x, R(scalar_of<R>(1.5)));
}

template <class T, int W>
int differing_lanes() {
  int differing = 0;
  auto xs = test::inputs<T>(T(-1e30), T(1e30), 1024, 5);
  const auto units = test::inputs<T>(T(0), T(1), 1024, 6);
  xs.insert(xs.end(), units.begin(), units.end());
  for (std::size_t first = 0; first + W <= xs.size(); first += W) {
    Pack<T, W> packs[9];
    evaluate(load<Pack<T, W>>(&xs[first]), packs);
    for (int lane = 0; lane < W; ++lane) {
      T scalars[9];
      evaluate(xs[first + static_cast<std::size_t>(lane)], scalars);
      for (int f = 0; f < 9; ++f) {
        const T got = extract(packs[f], lane);
        differing += std::memcmp(&got, &scalars[f], sizeof got) != 0;
      }
    }
  }
  return differing;
}

}  // namespace

TEST_CASE_TEMPLATE("packs of every width give the bits of scalars", T, float, double) {
  CHECK(differing_lanes<T, 2>() == 0);
  CHECK(differing_lanes<T, 4>() == 0);
  CHECK(differing_lanes<T, 8>() == 0);
  CHECK(differing_lanes<T, 16>() == 0);
}
