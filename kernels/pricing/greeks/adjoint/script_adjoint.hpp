#pragma once
// The operations of scripted payoffs (script_operations.hpp) with ramps in the place of comparisons
// (fuzzy logic: Savine 2018, "Modern Computational Finance: AAD and Parallel Simulations"; Bergomi,
// "Theta (and other Greeks): Smooth barriers", 2012), and their derivatives.
//
// a < b has the degree of truth clip(slope (b - a) + offset, 0, 1), and a choice between two values
// is their mean with the degree of truth of its condition as weight. Where all degrees are 0 or 1,
// results are those of the payoff itself, with the same bits. The derivative of the mean of a
// payoff that jumps by J where b - a passes through 0 is J times the density there times the
// derivative of b - a; that of a ramp of width 1 / slope is J slope times the derivative of b - a
// on the paths within the ramp, so that it has an error of second order in the width. Between two
// whole numbers comparisons and choices interpolate, so that the payoff passes continuously from
// its value for one of them to that for the other.

#include "kernels/pricing/payoffs/script_operations.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// What the derivative with respect to a result adds to those with respect to the operands and to
/// the result's value before.
template <class P>
struct ScriptShares {
  P a{}, b{}, c{}, before{};
};
/// The ramp of an instruction; slope 0: none.
template <class T>
struct ScriptRamp {
  T slope = 0, offset = 0;
};

/// The degree of truth of `difference` > 0.
template <class P, class T>
GSIM_HD P degree_of(P difference, ScriptRamp<T> ramp) {
  return at_most(at_least(fma(P(ramp.slope), difference, P(ramp.offset)), P(T(0))), P(T(1)));
}
/// The degree of a < b or, with `or_equal`, a <= b.
template <bool or_equal, class P, class T>
GSIM_HD P degree_of_less(P a, P b, ScriptRamp<T> ramp) {
  if (ramp.slope != T(0)) return degree_of(b - a, ramp);
  if constexpr (or_equal)
    return select(a <= b, P(T(1)), P(T(0)));
  else
    return select(a < b, P(T(1)), P(T(0)));
}
/// The degree of a == b for whole numbers with a ramp.
template <class P>
GSIM_HD P degree_of_equal(P a, P b) {
  using T = scalar_of<P>;
  return at_least(P(T(1)) - abs(b - a), P(T(0)));
}
/// a where the degree is 1, b where it is 0.
template <class P>
GSIM_HD P chosen_by_degree(P degree, P a, P b) {
  using T = scalar_of<P>;
  const P one(T(1)), none(T(0));
  return select(degree == one, a, select(degree == none, b, fma(degree, a - b, b)));
}
/// g where a degree is neither 0 nor 1, else 0.
template <class P>
GSIM_HD P within_ramp(P degree, P g) {
  using T = scalar_of<P>;
  return select((degree > P(T(0))) & (degree < P(T(1))), g, P(T(0)));
}

/// with_operation() with a ramp.
template <class Policy, class P, class T, class Use>
GSIM_HD void with_smooth_operation(ScriptOperation operation, ScriptRamp<T> ramp, const Use& use) {
  switch (operation) {
    case ScriptOperation::less:
      return use.binary([=](P a, P b) { return degree_of_less<false>(a, b, ramp); });
    case ScriptOperation::less_equal:
      return use.binary([=](P a, P b) { return degree_of_less<true>(a, b, ramp); });
    case ScriptOperation::equal:
      if (ramp.slope == T(0)) break;
      return use.binary([](P a, P b) { return degree_of_equal(a, b); });
    case ScriptOperation::not_equal:
      if (ramp.slope == T(0)) break;
      return use.binary([](P a, P b) { return P(T(1)) - degree_of_equal(a, b); });
    case ScriptOperation::less_and:
      return use.ternary([=](P a, P b, P c) { return degree_of_less<false>(a, b, ramp) * c; });
    case ScriptOperation::less_equal_and:
      return use.ternary([=](P a, P b, P c) { return degree_of_less<true>(a, b, ramp) * c; });
    case ScriptOperation::select:
      return use.ternary([](P a, P b, P c) { return chosen_by_degree(c, a, b); });
    case ScriptOperation::set_where_less:
      return use.update([=](P a, P b, P c, P r) {
        return chosen_by_degree(degree_of_less<false>(a, b, ramp), c, r);
      });
    case ScriptOperation::set_where_less_equal:
      return use.update([=](P a, P b, P c, P r) {
        return chosen_by_degree(degree_of_less<true>(a, b, ramp), c, r);
      });
    case ScriptOperation::add_where:
      return use.update(
          [](P a, P b, P c, P r) { return select(c != P(T(0)), fma(c * a, b, r), r); });
    default:
      break;
  }
  with_operation<Policy, P>(operation, use);
}

/// The operands that receive a share.
inline constexpr int to_a = 1, to_b = 2, to_c = 4;

/// g x and g / x, and 0 where g is 0, whatever x is: on a path a value may be infinite or not a
/// number that the payoff does not depend on.
template <class P>
GSIM_HD P times_share(P g, P x) {
  const P none(scalar_of<P>(0));
  return select(g != none, g * x, none);
}
template <class P>
GSIM_HD P share_over(P g, P x) {
  const P none(scalar_of<P>(0));
  return select(g != none, g / x, none);
}

/// Calls use.to<operands>(f) with the function f(g, a, b, c, r) of the shares, where g is the
/// derivative by the result r, or use.update<operands>(f) with f(g, a, b, c, before) for operations
/// that read the result's value before; or use.none(). At a kink it is the derivative on one side.
template <class P, class T, class Use>
GSIM_HD void with_derivative(ScriptOperation operation, ScriptRamp<T> ramp, const Use& use) {
  using S = ScriptShares<P>;
  constexpr T zero = 0;
  switch (operation) {
    case ScriptOperation::copy:
      return use.template to<to_a>([](P g, P, P, P, P) { return S{g}; });
    case ScriptOperation::add:
      return use.template to<to_a | to_b>([](P g, P, P, P, P) { return S{g, g}; });
    case ScriptOperation::subtract:
      return use.template to<to_a | to_b>([](P g, P, P, P, P) { return S{g, -g}; });
    case ScriptOperation::multiply:
      return use.template to<to_a | to_b>([](P g, P a, P b, P, P) {
        return S{times_share(g, b), times_share(g, a)};
      });
    case ScriptOperation::divide:
      return use.template to<to_a | to_b>([](P g, P, P b, P, P r) {
        const P q = share_over(g, b);
        return S{q, -times_share(q, r)};
      });
    case ScriptOperation::multiply_add:
    case ScriptOperation::add_product:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P, P) {
        return S{times_share(g, b), times_share(g, a), g};
      });
    case ScriptOperation::negate:
    case ScriptOperation::complement:
      return use.template to<to_a>([](P g, P, P, P, P) { return S{-g}; });
    case ScriptOperation::minimum:
      return use.template to<to_a | to_b>([](P g, P a, P b, P, P) {
        return S{select(a <= b, g, P(zero)), select(a <= b, P(zero), g)};
      });
    case ScriptOperation::maximum:
      return use.template to<to_a | to_b>([](P g, P a, P b, P, P) {
        return S{select(a >= b, g, P(zero)), select(a >= b, P(zero), g)};
      });
    case ScriptOperation::at_least:
      return use.template to<to_a | to_b>([](P g, P a, P b, P, P) {
        return S{select(a > b, g, P(zero)), select(a > b, P(zero), g)};
      });
    case ScriptOperation::at_most:
      return use.template to<to_a | to_b>([](P g, P a, P b, P, P) {
        return S{select(a < b, g, P(zero)), select(a < b, P(zero), g)};
      });
    case ScriptOperation::absolute:
      return use.template to<to_a>([](P g, P a, P, P, P) { return S{select(a < P(zero), -g, g)}; });
    case ScriptOperation::exponential:
      return use.template to<to_a>([](P g, P, P, P, P r) { return S{times_share(g, r)}; });
    case ScriptOperation::logarithm:
      return use.template to<to_a>([](P g, P a, P, P, P) { return S{share_over(g, a)}; });
    case ScriptOperation::square_root:
      return use.template to<to_a>([](P g, P, P, P, P r) {
        return S{select(r > P(zero), share_over(P(T(0.5)) * g, r), P(zero))};
      });
    case ScriptOperation::select:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        return S{times_share(g, c), times_share(g, P(T(1)) - c),
                 times_share(within_ramp(c, g), a - b)};
      });
    case ScriptOperation::difference_at_least:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        const P of_difference = select(a - b > c, g, P(zero));
        return S{of_difference, -of_difference, select(a - b > c, P(zero), g)};
      });
    case ScriptOperation::quotient_difference:
      return use.template to<to_a | to_b | to_c>([](P g, P, P b, P c, P r) {
        const P q = share_over(g, b);
        return S{q, -times_share(q, r + c), -g};
      });
    case ScriptOperation::clip:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        const P of_larger = select(at_least(a, b) < c, g, P(zero));
        return S{select(a > b, of_larger, P(zero)), select(a > b, P(zero), of_larger),
                 select(at_least(a, b) < c, P(zero), g)};
      });
    case ScriptOperation::minimum_product:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        const P of_product = select(c <= a * b, P(zero), g);
        return S{times_share(of_product, b), times_share(of_product, a),
                 select(c <= a * b, g, P(zero))};
      });
    case ScriptOperation::maximum_product:
      return use.template to<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        const P of_product = select(c >= a * b, P(zero), g);
        return S{times_share(of_product, b), times_share(of_product, a),
                 select(c >= a * b, g, P(zero))};
      });
    case ScriptOperation::set_where_less:
    case ScriptOperation::set_where_less_equal:
      return use.template update<to_a | to_b | to_c>([=](P g, P a, P b, P c, P before) {
        const P degree = operation == ScriptOperation::set_where_less
                             ? degree_of_less<false>(a, b, ramp)
                             : degree_of_less<true>(a, b, ramp);
        const P by_degree = times_share(within_ramp(degree, g), c - before) * P(ramp.slope);
        return S{-by_degree, by_degree, times_share(g, degree), times_share(g, P(T(1)) - degree)};
      });
    case ScriptOperation::add_where:
      return use.template update<to_a | to_b | to_c>([](P g, P a, P b, P c, P) {
        const P of_product = times_share(g, c);
        return S{times_share(of_product, b), times_share(of_product, a),
                 times_share(within_ramp(c, g), a * b), g};
      });
    case ScriptOperation::less:
    case ScriptOperation::less_equal:
      if (ramp.slope == zero) break;
      return use.template to<to_a | to_b>([=](P g, P, P, P, P r) {
        const P by_difference = within_ramp(r, g) * P(ramp.slope);
        return S{-by_difference, by_difference};
      });
    case ScriptOperation::equal:
    case ScriptOperation::not_equal:
      if (ramp.slope == zero) break;
      return use.template to<to_a | to_b>([=](P g, P a, P b, P, P r) {
        const P inside = within_ramp(r, operation == ScriptOperation::equal ? -g : g);
        const P by_difference = select(b > a, inside, -inside);
        return S{-by_difference, by_difference};
      });
    case ScriptOperation::less_and:
    case ScriptOperation::less_equal_and:
      return use.template to<to_a | to_b | to_c>([=](P g, P a, P b, P c, P) {
        const P degree = operation == ScriptOperation::less_and ? degree_of_less<false>(a, b, ramp)
                                                                : degree_of_less<true>(a, b, ramp);
        const P by_difference = within_ramp(degree, g) * c * P(ramp.slope);
        return S{-by_difference, by_difference, times_share(g, degree)};
      });
    case ScriptOperation::skip_if_none:
      break;
  }
  use.none();
}

/// The number of an entry's list (script_job.hpp) at a position of the program; -1: it is not
/// listed.
template <class T>
GSIM_HD std::int32_t listed_number(const T* list, Index position) {
  std::int32_t first = 0, last = static_cast<std::int32_t>(list[0]);
  while (first < last) {
    const std::int32_t middle = (first + last) / 2;
    const auto at = static_cast<Index>(list[1 + 2 * middle]);
    if (at == position) return middle;
    if (at < position)
      first = middle + 1;
    else
      last = middle;
  }
  return -1;
}
/// The ramp of an instruction, from the same list.
template <class T>
GSIM_HD ScriptRamp<T> listed_ramp(const T* list, std::int32_t instruction) {
  const T* const ramp = list + 2 + 2 * static_cast<Index>(list[0]) + 2 * instruction;
  return {ramp[0], ramp[1]};
}
/// The program, from the same list.
template <class T>
GSIM_HD const T* listed_program(const T* list) {
  const auto numbers = static_cast<Index>(list[0]);
  return list + 2 + 2 * numbers + 2 * static_cast<Index>(list[1 + 2 * numbers]);
}
/// The number of the value of the table that an operand names, at a fixing.
template <class T>
GSIM_HD std::int32_t listed_table_value(const ScriptView<T>& script, const T* program,
                                        const T* list, std::int32_t operand, std::int32_t fixing) {
  return listed_number(list, (script.table - program) +
                                 Index{operand - script_first_table} * script.fixings + fixing);
}

}  // namespace pricing_kernels
GSIM_TARGET_END
