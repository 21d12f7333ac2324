#pragma once
// The variables and functions of the regression of early exercise. P is a group of paths.

#include <type_traits>

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// Whether weighted spots are variables in the order of the trade's assets.
template <class T>
GSIM_HD bool has_ordered_spots(const VariableView<T>& v) {
  return v.kind == SpotVariables::in_order || v.kind == SpotVariables::none;
}

/// regression_variables() where has_ordered_spots(). The indices of the variables are constants
/// once the loops are unrolled, so that they stay in registers on devices.
template <class P, class T>
GSIM_HD void ordered_variables(const VariableView<T>& v, const Tile<T>& tile, const T* row,
                               P exercise_value, P (&x)[max_variables]) {
  const TileSpots<P, T> spots{&tile, row};
  GSIM_UNROLL
  for (int i = 0; i < max_variables; ++i) {
    if (i >= v.count) break;
    const int variance = i - v.spots;
    if (variance < 0)
      x[i] = P(v.weight[i]) * spots[v.asset[i]];
    else if (variance < v.variances)
      x[i] = spots.row(tile.asset[v.variance[variance]].instantaneous_variance);
    else
      x[i] = select(exercise_value > P(T(below_all_values)), exercise_value, P(T(0)));
  }
}

/// The variables of a group of paths at one record; `row` is the first row of the record at the
/// group's first path, `exercise_value` the discounted value of exercise. Where there is no right
/// to exercise, that variable is 0.
template <class P, class T>
GSIM_HD void regression_variables(const VariableView<T>& v, const Tile<T>& tile, const T* row,
                                  P exercise_value, P (&x)[max_variables]) {
  if (has_ordered_spots(v)) return ordered_variables(v, tile, row, exercise_value, x);
  const TileSpots<P, T> spots{&tile, row};
  int n = 0;
  // Insertion of one spot after another into the sorted list of the first v.spots ones.
  const bool descending = v.kind == SpotVariables::largest;
  for (int i = 0; i < v.assets; ++i) {
    P next = P(v.weight[i]) * spots[v.asset[i]];
    for (int j = 0; j < n; ++j) {
      const P high = at_least(x[j], next), low = at_most(x[j], next);
      x[j] = descending ? high : low;
      next = descending ? low : high;
    }
    if (n < v.spots) x[n++] = next;
  }
  for (int i = 0; i < v.variances; ++i)
    x[n++] = spots.row(tile.asset[v.variance[i]].instantaneous_variance);
  if (v.has_exercise_value)
    x[n++] = select(exercise_value > P(T(below_all_values)), exercise_value, P(T(0)));
}

/// The first `functions` functions of normalised variables u, multiplied by `factor`, in `phi`. The
/// Hermite polynomials are those of probability theory: He_0 = 1, He_1 = u, He_n+1 = u He_n - n
/// He_n-1 (Abramowitz and Stegun 1964, 22.7.14).
template <class P>
GSIM_HD void basis_functions(const BasisFunction* function, int functions, int variables,
                             int degree, const P (&u)[max_variables], P factor, P* phi) {
  using T = scalar_of<P>;
  P hermite[max_variables][max_degree + 1];
  for (int i = 0; i < variables; ++i) {
    hermite[i][0] = P(T(1));
    hermite[i][1] = u[i];
    for (int n = 1; n < degree; ++n)
      hermite[i][n + 1] = u[i] * hermite[i][n] - P(T(n)) * hermite[i][n - 1];
  }
  phi[0] = factor;
  for (int f = 1; f < functions; ++f) {
    const BasisFunction& b = function[f];
    phi[f] = phi[b.factor] * hermite[b.variable][b.degree];
  }
}

/// The largest degree of quadratic_functions().
inline constexpr int quadratic_degree = 2;

/// The loads above this are issued on a device before what follows: they wait together.
GSIM_HD void issue_loads() {
#if defined(__CUDA_ARCH__)
  asm volatile("" ::: "memory");
#endif
}

/// Calls use(n) for the number n of variables as a constant, from 1 to max_variables.
template <class Use>
GSIM_HD void with_variables(int variables, const Use& use) {
  static_assert(max_variables == 8);
  switch (variables) {
    case 1:
      return use(std::integral_constant<int, 1>{});
    case 2:
      return use(std::integral_constant<int, 2>{});
    case 3:
      return use(std::integral_constant<int, 3>{});
    case 4:
      return use(std::integral_constant<int, 4>{});
    case 5:
      return use(std::integral_constant<int, 5>{});
    case 6:
      return use(std::integral_constant<int, 6>{});
    case 7:
      return use(std::integral_constant<int, 7>{});
    default:
      return use(std::integral_constant<int, 8>{});
  }
}

/// Calls use(f, value) for the functions 1 <= f < functions of n variables and a degree of at most
/// 2, with the bits of basis_functions(): `functions` is the number of all functions of the degree
/// 0, 1 or 2. They need no table of functions, and no memory for those before them.
template <int n, class P, class Use>
GSIM_HD void quadratic_functions(int functions, const P (&u)[max_variables], P factor,
                                 const Use& use) {
  using T = scalar_of<P>;
  if (functions == 1) return;
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) use(1 + i, factor * u[i]);
  if (functions == 1 + n) return;
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    const int first = 1 + n + i * n - i * (i - 1) / 2;
    use(first, factor * (u[i] * u[i] - P(T(1))));
    const P linear = factor * u[i];
    GSIM_UNROLL
    for (int j = i + 1; j < n; ++j) use(first + j - i, linear * u[j]);
  }
}

/// The sum of coefficients times quadratic_functions() with the factor 1, added in their order.
template <int n, class P, class T>
GSIM_HD P quadratic_fit(const T* coefficient, int functions, const P (&u)[max_variables]) {
  P value(coefficient[0]);
  if (functions == 1) return value;
  T c[n];
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) c[i] = coefficient[1 + i];
  issue_loads();
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) value = fma(P(c[i]), u[i], value);
  if (functions == 1 + n) return value;
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    const T* const row = coefficient + 1 + n + i * n - i * (i - 1) / 2;
    GSIM_UNROLL
    for (int j = i; j < n; ++j) c[j] = row[j - i];
    issue_loads();
    value = fma(P(c[i]), u[i] * u[i] - P(scalar_of<P>(1)), value);
    GSIM_UNROLL
    for (int j = i + 1; j < n; ++j) value = fma(P(c[j]), u[i] * u[j], value);
  }
  return value;
}

/// Whether quadratic_continuation() gives the value of continuation.
template <class T>
GSIM_HD bool is_quadratic(const ExerciseTable<T>& table) {
  return table.degree <= quadratic_degree && has_ordered_spots(table.variables) &&
         !table.variables.has_exercise_value;
}

/// continuation_value() where is_quadratic(), of n variables.
template <int n, class P, class T>
GSIM_HD P quadratic_continuation(const VariableView<T>& v, const ExerciseDate<T>& date,
                                 const Tile<T>& tile, const T* row) {
  const int spots = v.spots, functions = date.functions;
  const T *const weight_at = v.weight, *const centre_at = date.centre,
                 *const scale_at = date.inverse_scale, *const coefficient = date.coefficient;
  const std::int32_t *const spot_assets = v.asset, *const variance_assets = v.variance;
  const AssetRows* const rows = tile.asset;
  const Index stride = tile.stride;
  std::int32_t of_variable[n];  // the asset, then the row of the tile
  GSIM_UNROLL
  for (int i = 0; i < n; ++i)
    of_variable[i] = *(i < spots ? spot_assets + i : variance_assets + (i - spots));
  issue_loads();
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    const AssetRows& asset = rows[of_variable[i]];
    of_variable[i] = *(i < spots ? &asset.spot : &asset.instantaneous_variance);
  }
  issue_loads();
  P u[max_variables];
  T weight[n], centre[n], scale[n];
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    u[i] = load<P>(row + of_variable[i] * stride);
    weight[i] = weight_at[i < spots ? i : 0];
    centre[i] = centre_at[i];
    scale[i] = scale_at[i];
  }
  issue_loads();
  GSIM_UNROLL
  for (int i = 0; i < n; ++i) {
    if (i < spots) u[i] = P(weight[i]) * u[i];
    u[i] = (u[i] - P(centre[i])) * P(scale[i]);
  }
  return quadratic_fit<n>(coefficient, functions, u);
}

/// The regression of an exercise date: the value of continuation, discounted to today, without the
/// control variate that may be added to it.
template <class P, class T>
GSIM_HD P continuation_value(const ExerciseTable<T>& table, const ExerciseDate<T>& date,
                             const Tile<T>& tile, const T* row, P exercise_value) {
  if (is_quadratic(table)) {
    P value(T(0));
    with_variables(table.variables.count, [&](auto n) {
      value = quadratic_continuation<n.value, P>(table.variables, date, tile, row);
    });
    return value;
  }
  P x[max_variables], phi[max_functions];
  regression_variables(table.variables, tile, row, exercise_value, x);
  for (int i = 0; i < table.variables.count; ++i)
    x[i] = (x[i] - P(date.centre[i])) * P(date.inverse_scale[i]);
  basis_functions(table.function, date.functions, table.variables.count, table.degree, x, P(T(1)),
                  phi);
  P value(date.coefficient[0]);
  for (int f = 1; f < date.functions; ++f) value = fma(P(date.coefficient[f]), phi[f], value);
  return value;
}

}  // namespace pricing_kernels
GSIM_TARGET_END
