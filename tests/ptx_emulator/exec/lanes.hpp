#pragma once
// Loops over the lanes of a warp. With many active lanes they compute all lanes, so that the
// compiler generates vector instructions, and store the results of active lanes only; functions
// must therefore be defined for any operands. With few active lanes they compute these one by one.
//
// The result may be in the same register as an operand, but not in one that overlaps an operand
// otherwise: see program/register_slots.hpp.

#include <bit>
#include <cstdint>

#include "exec/warp.hpp"

/// Precedes a loop whose iterations are independent, although pointers may be equal.
#if defined(__clang__)
#define PTXEMU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define PTXEMU_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace ptxemu {

/// Whether a mask has so few lanes that computing them one by one is faster than all at once.
inline bool is_sparse(std::uint32_t mask) { return std::popcount(mask) <= 5; }

/// Writes `values` to the lanes of `mask` of `d`.
template <class T>
inline void store(T* d, const T* values, std::uint32_t mask) {
  if (mask == all_lanes) {
    for (int n = 0; n < warp_size; ++n) d[n] = values[n];
    return;
  }
  for (int n = 0; n < warp_size; ++n) d[n] = ((mask >> n) & 1u) != 0 ? values[n] : d[n];
}

/// Calls f(n) for each active lane n in ascending order.
template <class F>
inline void each_lane(Warp& warp, const F& f) {
  for (std::uint32_t lanes = warp.mask; lanes != 0; lanes &= lanes - 1) {
    const int n = std::countr_zero(lanes);
    f(n);
  }
}

/// d[n] = f(n) for each active lane n.
template <class R, class F>
inline void compute(Warp& warp, R* d, const F& f) {
  const std::uint32_t mask = warp.mask;
  if (mask == all_lanes) {
    PTXEMU_INDEPENDENT
    for (int n = 0; n < warp_size; ++n) d[n] = f(n);
  } else if (is_sparse(mask)) {
    each_lane(warp, [&](int n) { d[n] = f(n); });
  } else {
    alignas(64) R values[warp_size];
    for (int n = 0; n < warp_size; ++n) values[n] = f(n);
    store(d, values, mask);
  }
}

/// d = F(a), lane by lane.
template <class R, class A, auto F>
void map1(Warp& warp, const Op& op) {
  const A* const a = warp.at<A>(op.a);
  compute(warp, warp.at<R>(op.d), [&](int n) { return static_cast<R>(F(a[n])); });
}

/// d = F(a, b), lane by lane.
template <class R, class A, class B, auto F>
void map2(Warp& warp, const Op& op) {
  const A* const a = warp.at<A>(op.a);
  const B* const b = warp.at<B>(op.b);
  compute(warp, warp.at<R>(op.d), [&](int n) { return static_cast<R>(F(a[n], b[n])); });
}

/// d = F(a, b, c), lane by lane.
template <class R, class A, class B, class C, auto F>
void map3(Warp& warp, const Op& op) {
  const A* const a = warp.at<A>(op.a);
  const B* const b = warp.at<B>(op.b);
  const C* const c = warp.at<C>(op.c);
  compute(warp, warp.at<R>(op.d), [&](int n) { return static_cast<R>(F(a[n], b[n], c[n])); });
}

/// A bit mask with bit n set where F(a[n], b[n]) is true, for the lanes of `mask` at least.
template <class T, auto F>
inline std::uint32_t compare_lanes(const T* a, const T* b, std::uint32_t mask) {
  std::uint32_t bits = 0;
  if (is_sparse(mask)) {
    for (std::uint32_t lanes = mask; lanes != 0; lanes &= lanes - 1) {
      const int n = std::countr_zero(lanes);
      bits |= static_cast<std::uint32_t>(F(a[n], b[n]) ? 1u : 0u) << n;
    }
    return bits;
  }
  for (int n = 0; n < warp_size; ++n)
    bits |= static_cast<std::uint32_t>(F(a[n], b[n]) ? 1u : 0u) << n;
  return bits;
}

/// Writes the bits of a predicate that are in `mask`.
inline void store_predicate(std::uint32_t& d, std::uint32_t value, std::uint32_t mask) {
  d = (d & ~mask) | (value & mask);
}

}  // namespace ptxemu
