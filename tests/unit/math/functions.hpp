#pragma once
// A kernel that fills tables with every strict function, so that the bits of all CPU levels, CUDA
// and pack widths can be compared and stored as digests.

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/math/atan.hpp"
#include "gsim/math/elementary.hpp"
#include "gsim/math/in_range.hpp"

namespace gsim {

/// Columns of arguments: any number, a number in exp_bounded's range, a normalized number in (0,
/// 1], a number in [2^-100, 2^100], and a pair for the functions of two arguments.
enum FunctionInputs { any_x, bounded_x, unit_x, moderate_x, pair_x, pair_y, inputs_end };

/// Columns of results; the names are those of the digests.
inline constexpr const char* function_names[] = {"exp",
                                                 "exp_bounded",
                                                 "exp2",
                                                 "expm1",
                                                 "log",
                                                 "log_unit",
                                                 "log2",
                                                 "log1p",
                                                 "sin",
                                                 "cos",
                                                 "sinpi",
                                                 "cospi",
                                                 "sin_2pi",
                                                 "cos_2pi",
                                                 "erf",
                                                 "erfc",
                                                 "normal_cdf",
                                                 "normal_inverse",
                                                 "tanh",
                                                 "pow",
                                                 "atan",
                                                 "atan2",
                                                 "min",
                                                 "max",
                                                 "sqrt",
                                                 "floor",
                                                 "round_even",
                                                 "sqrt_by_iteration",
                                                 "positive_sqrt_by_iteration"};
inline constexpr Index functions_end = std::size(function_names);

template <class T>
struct FunctionTables {
  Index count = 0;       ///< rows, a multiple of 16
  View<const T> inputs;  ///< inputs_end columns
  View<T> results;       ///< functions_end columns
};

struct FunctionArgs {
  /// Lanes of a pack: base 1, 4 (of doubles 2); AVX2 and AVX-512 1, 8, 16.
  /// A CUDA thread is one lane. Other widths are replaced by 1.
  int width = 1;
  FunctionTables<double> doubles;
  FunctionTables<float> floats;
};

}  // namespace gsim

GSIM_TARGET_BEGIN

/// Computes the rows of the tables from group * lanes_of<R> on, one in each lane of R.
template <class R>
struct FillFunctions {
  FunctionTables<scalar_of<R>> tables;

  GSIM_HD R input(Index column, Index row) const {
    return load<R>(tables.inputs.data + column * tables.count + row);
  }
  GSIM_HD void operator()(Index group) const {
    const Index row = group * lanes_of<R>;
    Index column = 0;
    const auto store_next = [&](R value) {
      store(tables.results.data + column++ * tables.count + row, value);
    };
    const R x = input(any_x, row), unit = input(unit_x, row);
    store_next(exp<Strict>(x));
    store_next(exp_bounded<Strict>(input(bounded_x, row)));
    store_next(exp2<Strict>(x));
    store_next(expm1<Strict>(x));
    store_next(log<Strict>(x));
    store_next(log_unit<Strict>(unit));
    store_next(log2<Strict>(x));
    store_next(log1p<Strict>(x));
    store_next(sin<Strict>(x));
    store_next(cos<Strict>(x));
    const auto half_turns = sincospi<Strict>(x), turns = sincos_2pi<Strict>(unit);
    store_next(half_turns.sin);
    store_next(half_turns.cos);
    store_next(turns.sin);
    store_next(turns.cos);
    store_next(erf<Strict>(x));
    store_next(erfc<Strict>(x));
    store_next(normal_cdf<Strict>(x));
    store_next(normal_inverse<Strict>(unit));
    store_next(tanh<Strict>(x));
    const R a = input(pair_x, row), b = input(pair_y, row);
    store_next(pow<Strict>(a, b));
    store_next(atan<Strict>(x));
    store_next(atan2<Strict>(a, b));
    store_next(min(a, b));
    store_next(max(a, b));
    store_next(canonical(sqrt(x)));
    store_next(canonical(floor(x)));
    store_next(canonical(round_even(x)));
    const R moderate = input(moderate_x, row);
    store_next(sqrt_by_iteration<Strict>(moderate));
    store_next(positive_sqrt_by_iteration<Strict>(moderate));
  }
};

GSIM_TARGET_END

GSIM_DECLARE_LAUNCHER(strict_functions, FunctionArgs)
