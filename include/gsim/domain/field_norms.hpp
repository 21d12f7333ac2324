#pragma once
// Extremes and norms of fields over all cells of the grid, the same on every rank and for any
// number of ranks and threads, on hosts and devices. All functions are collective; ghosts are left
// out. Values that are NaN make a result NaN: no NaN is passed over.

#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/field.hpp"

namespace gsim {

/// A value, and the first cell of the grid that has it, the first axis fastest.
struct FieldExtreme {
  double value = 0;
  Cell cell{0, 0, 0};
  friend bool operator==(const FieldExtreme&, const FieldExtreme&) = default;
};

/// The least and the greatest value of one component. -0 is less than +0. Where a value is NaN both
/// are NaN, at the first cell that has one.
struct FieldExtremes {
  FieldExtreme minimum, maximum;
  friend bool operator==(const FieldExtremes&, const FieldExtremes&) = default;
};

/// Sums over the values u of all cells of one component. The integral over a grid of cells of
/// volume V is V times `sum`; integral norms are V times `l1`, and sqrt(V) times `l2`.
struct FieldNorms {
  double sum = 0;  ///< of u: the exact sum, rounded to a double
  double l1 = 0;   ///< sum of |u|, likewise
  double l2 = 0;   ///< square root of the exact sum of u^2
  double max = 0;  ///< greatest |u|
  friend bool operator==(const FieldNorms&, const FieldNorms&) = default;
};

/// Of each component of a field of doubles or floats (its elements' size says which). Error for a
/// grid without cells.
std::vector<FieldExtremes> extremes(const Communicator& communicator, const Field& field);
std::vector<FieldNorms> norms(const Communicator& communicator, const Field& field);

/// The same of the differences a - b of two fields, each rounded to a double: such as how far two
/// steps of an iteration are apart. Error unless both have the same layout, elements and
/// components.
std::vector<FieldExtremes> extremes_of_difference(const Communicator& communicator, const Field& a,
                                                  const Field& b);
std::vector<FieldNorms> norms_of_difference(const Communicator& communicator, const Field& a,
                                            const Field& b);

}  // namespace gsim
