#pragma once
// Loops over the lanes of a warp. They compute all lanes, so that the compiler generates vector
// instructions, and store the results of active lanes only; functions must therefore be defined for
// any operands.

#include <bit>
#include <cstdint>

#include "exec/warp.hpp"

namespace ptxemu {

/// Writes `values` to the lanes of `mask` of `d`.
template <class T>
inline void store(T* d, const T* values, std::uint32_t mask) {
  if (mask == all_lanes) {
    for (int n = 0; n < warp_size; ++n) d[n] = values[n];
    return;
  }
  for (int n = 0; n < warp_size; ++n) d[n] = ((mask >> n) & 1u) != 0 ? values[n] : d[n];
}

/// d = F(a), lane by lane.
template <class R, class A, auto F>
void map1(Warp& warp, const Op& op) {
  alignas(64) R values[warp_size];
  const A* const a = warp.at<A>(op.a);
  for (int n = 0; n < warp_size; ++n) values[n] = static_cast<R>(F(a[n]));
  store(warp.at<R>(op.d), values, warp.mask);
}

/// d = F(a, b), lane by lane.
template <class R, class A, class B, auto F>
void map2(Warp& warp, const Op& op) {
  alignas(64) R values[warp_size];
  const A* const a = warp.at<A>(op.a);
  const B* const b = warp.at<B>(op.b);
  for (int n = 0; n < warp_size; ++n) values[n] = static_cast<R>(F(a[n], b[n]));
  store(warp.at<R>(op.d), values, warp.mask);
}

/// d = F(a, b, c), lane by lane.
template <class R, class A, class B, class C, auto F>
void map3(Warp& warp, const Op& op) {
  alignas(64) R values[warp_size];
  const A* const a = warp.at<A>(op.a);
  const B* const b = warp.at<B>(op.b);
  const C* const c = warp.at<C>(op.c);
  for (int n = 0; n < warp_size; ++n) values[n] = static_cast<R>(F(a[n], b[n], c[n]));
  store(warp.at<R>(op.d), values, warp.mask);
}

/// A bit mask with bit n set where F(a[n], b[n]) is true.
template <class T, auto F>
inline std::uint32_t compare_lanes(const T* a, const T* b) {
  std::uint32_t bits = 0;
  for (int n = 0; n < warp_size; ++n)
    bits |= static_cast<std::uint32_t>(F(a[n], b[n]) ? 1u : 0u) << n;
  return bits;
}

/// Writes the bits of a predicate that are in `mask`.
inline void store_predicate(std::uint32_t& d, std::uint32_t value, std::uint32_t mask) {
  d = (d & ~mask) | (value & mask);
}

/// Calls f(n) for each active lane n in ascending order.
template <class F>
inline void each_lane(Warp& warp, const F& f) {
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int n = std::countr_zero(lanes);
    f(n);
  }
}

}  // namespace ptxemu
