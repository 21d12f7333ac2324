#pragma once
// Extrema and norms of fields over all cells of the grid without ghosts, the same on every rank,
// for any number of ranks and threads, and on hosts and devices. All functions are collective. If a
// value is NaN, the result is NaN.

#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/field.hpp"

namespace gsim {

/// An extreme value and the first cell of the grid that has it, first axis fastest.
struct FieldExtreme {
  double value = 0;
  Cell cell{0, 0, 0};
  friend bool operator==(const FieldExtreme&, const FieldExtreme&) = default;
};

/// Minimum and maximum of one component. -0 is less than +0. If a value is NaN, both are NaN, at
/// the first cell with a NaN.
struct FieldExtremes {
  FieldExtreme minimum, maximum;
  friend bool operator==(const FieldExtremes&, const FieldExtremes&) = default;
};

/// Sums over the values u of one component in all cells. On a grid of cells with volume V the
/// integral is V times `sum`, and the integral norms are V times `l1` and sqrt(V) times `l2`.
struct FieldNorms {
  double sum = 0;  ///< sum of u, computed exactly and rounded to a double
  double l1 = 0;   ///< sum of |u|, computed exactly and rounded to a double
  double l2 = 0;   ///< square root of the exact sum of u^2
  double max = 0;  ///< maximum of |u|
  friend bool operator==(const FieldNorms&, const FieldNorms&) = default;
};

/// Extrema and norms of each component of a field of doubles or floats (determined by the element
/// size). Error for a grid without cells.
std::vector<FieldExtremes> extremes(const Communicator& communicator, const Field& field);
std::vector<FieldNorms> norms(const Communicator& communicator, const Field& field);

/// Extrema and norms of the differences a - b of two fields, each rounded to a double, for example
/// between two steps of an iteration. Error unless both have the same layout, element size and
/// components.
std::vector<FieldExtremes> extremes_of_difference(const Communicator& communicator, const Field& a,
                                                  const Field& b);
std::vector<FieldNorms> norms_of_difference(const Communicator& communicator, const Field& a,
                                            const Field& b);

}  // namespace gsim
