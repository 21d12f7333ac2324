#pragma once
// The states of payoffs that are evaluated while their paths are simulated. A batch of trades has
// as many states as fit the shared memory of a block of threads; each is a number of words, which
// are the members of the payoff's State.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/payoffs/dispatch.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Threads of a block, and words for the states of a batch on all paths of a sample.
inline constexpr int fused_threads = 128, fused_words = 16;
/// Largest number of words of one state.
inline constexpr int words_per_state = 4;

/// Whether a payoff's State can be kept in words.
template <class T, class State>
GSIM_HD constexpr bool fits_words() {
  return std::is_trivially_copyable_v<State> && sizeof(State) % sizeof(T) == 0 &&
         sizeof(State) <= words_per_state * sizeof(T);
}

/// The words of one thread: word w of path m is at data[(m * per_path + w) * stride].
template <class T>
struct FusedWords {
  T* data;
  int stride, per_path;

  template <class State>
  GSIM_HD State load(int path, int first) const {
    constexpr int n = sizeof(State) / sizeof(T);
    T words[n];
    GSIM_UNROLL
    for (int w = 0; w < n; ++w) words[w] = at(path, first + w);
    State state;
    __builtin_memcpy(&state, words, sizeof state);
    return state;
  }
  template <class State>
  GSIM_HD void store(int path, int first, const State& state) const {
    constexpr int n = sizeof(State) / sizeof(T);
    T words[n];
    __builtin_memcpy(words, &state, sizeof state);
    GSIM_UNROLL
    for (int w = 0; w < n; ++w) at(path, first + w) = words[w];
  }

 private:
  GSIM_HD T& at(int path, int word) const { return data[(path * per_path + word) * stride]; }
};

/// The asset at a fixing, as functors read it. The variance is read by conditional payoffs only,
/// which are not evaluated here, and extremes only if they are drawn.
template <class T>
struct FusedSpots {
  T spot, log_spot, highest, lowest;

  GSIM_HD T operator[](Index) const { return spot; }
  GSIM_HD T log(Index) const { return log_spot; }
  GSIM_HD T maximum(Index) const { return highest; }
  GSIM_HD T minimum(Index) const { return lowest; }
};
/// The only asset as the underlying.
template <class T>
struct FusedUnderlying {
  GSIM_HD explicit FusedUnderlying(const PayoffView<T>&) {}
  GSIM_HD T spot(const FusedSpots<T>& spots) const { return spots.spot; }
  GSIM_HD T log_spot(const FusedSpots<T>& spots) const { return spots.log_spot; }
};

/// Whether the fused kernels contain a payoff: all but those that define `is_fused = false`. A
/// variable, since device code may not call constexpr functions of the host.
template <class Payoff>
inline constexpr bool is_fused = !requires {
  requires !Payoff::is_fused;
};

/// Calls use(functor) with the functor of a payoff on one asset, if it is part of the fused kernels
/// and its state can be kept in words.
template <class Policy, class T, class Use>
GSIM_HD void with_fused_functor(PayoffFormula formula, const PayoffView<T>& terms, const Use& use) {
  with_payoff(formula, [&](auto payoff) {
    using Payoff = decltype(payoff);
    if constexpr (is_fused<Payoff>)
      Payoff::template with_functor<Policy, T, FusedUnderlying<T>>(terms, [&](const auto& functor) {
        using Functor = std::decay_t<decltype(functor)>;
        if constexpr (fits_words<T, typename Functor::State>()) use(functor);
      });
  });
}

}  // namespace pricing_kernels
GSIM_TARGET_END
