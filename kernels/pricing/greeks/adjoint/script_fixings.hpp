#pragma once
// The stored derivatives of a scripted payoff (script_job.hpp) as a gradient of a sweep.

#include "gsim/pricing/payoff.hpp"
#include "kernels/pricing/payoffs/payoff_view.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The sweep over a path whose derivatives are stored (script_job.hpp), in the place of
/// PayoffFixings: derivative k is at derivative[k * row].
template <class P, class T>
struct ScriptFixings {
  static constexpr bool is_combined = false;
  const PayoffView<T>& terms;
  const Tile<T>& tile;
  Index path;
  const T* derivative;
  Index row;

  GSIM_HD P by_log_spot(Index i, Index a, P) const {
    const Index spot = terms.record[i] * tile.rows + tile.asset[terms.asset[a]].spot;
    return load<P>(derivative + (a * terms.fixings + i) * row) *
           load<P>(tile.data + spot * tile.stride + path);
  }
  /// put(s, value) for the sum s of each number of the list.
  template <class Put>
  GSIM_HD void put_numbers(const T* list, const Put& put) const {
    const T* at = derivative + Index{terms.assets} * terms.fixings * row;
    GSIM_NO_UNROLL
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(list[0]); ++j, at += row)
      put(static_cast<std::int32_t>(list[2 + 2 * j]), load<P>(at));
  }
};
/// The gradient to ScriptFixings.
template <class P>
struct ScriptGradient {
  template <class Fixings>
  GSIM_HD P at(Index, const Fixings&) const {
    return P(scalar_of<P>(0));
  }
};

}  // namespace pricing_kernels
GSIM_TARGET_END
