#pragma once
// Sums over the cells of a field that depend neither on the order of terms nor on the
// decomposition: observables of grids.

#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/field.hpp"

namespace gsim {

/// The quantum, a power of two, for sums of values up to `largest` > 0 in magnitude: the smallest
/// one for which `largest` is at most 2^62 quanta. Rounding to it changes such a value by at most
/// 2^-62 of `largest`. InputError if `largest` is not positive, not finite, or below 2^-900.
double sum_quantum(double largest);

/// Name of a field and step of its values, for messages.
struct FieldLabel {
  std::string_view name = {};  ///< "temperature"; empty: the name of the field (FieldQuantity)
  Index step = -1;             ///< negative: not mentioned
};

/// The sum over all cells of the grid, without ghosts, of each component of a field of doubles or
/// floats (determined by the element size): every value is rounded to an integer number of quanta
/// (core/exact_sum.hpp), which are added exactly, and the sum is rounded to a double. The same on
/// every rank and for any number of ranks and threads. NumericalError, which names the first such
/// cell and its value, if a value is not finite or exceeds 2^62 quanta. Collective.
std::vector<double> sum_cells(const Communicator& communicator, Field& field, double quantum,
                              const FieldLabel& label = {});

/// The exact sum of the values without rounding to quanta, for any magnitudes, rounded once to the
/// nearest double (core/superaccumulator.hpp). NumericalError, which names the first such cell, if
/// a value is not finite. Takes about one and a half times as long as a sum of quanta.
std::vector<double> sum_cells(const Communicator& communicator, Field& field,
                              const FieldLabel& label = {});

}  // namespace gsim
