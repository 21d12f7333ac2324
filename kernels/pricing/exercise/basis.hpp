#pragma once
// The variables and functions of the regression of early exercise. P is a group of paths.

#include "gsim/pricing/lanes.hpp"
#include "kernels/pricing/exercise/exercise_job.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// The variables of a group of paths at one record; `row` is the first row of the record at the
/// group's first path, `exercise_value` the discounted value of exercise. Where there is no right
/// to exercise, that variable is 0.
template <class P, class T>
GSIM_HD void regression_variables(const VariableView<T>& v, const Tile<T>& tile, const T* row,
                                  P exercise_value, P (&x)[max_variables]) {
  const TileSpots<P, T> spots{&tile, row};
  int n = 0;
  if (v.kind == SpotVariables::in_order) {
    for (; n < v.spots; ++n) x[n] = P(v.weight[n]) * spots[v.asset[n]];
  } else if (v.kind != SpotVariables::none) {
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

/// The regression of an exercise date: the value of continuation, discounted to today, without the
/// control variate that may be added to it.
template <class P, class T>
GSIM_HD P continuation_value(const ExerciseTable<T>& table, const ExerciseDate<T>& date,
                             const Tile<T>& tile, const T* row, P exercise_value) {
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
