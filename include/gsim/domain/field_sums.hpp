#pragma once
// Sums over the cells of a field that depend neither on the order of their terms nor on who adds
// them: observables of grids.

#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/domain/field.hpp"

namespace gsim {

/// The power of two that is the quantum for sums of values up to `largest` > 0 in magnitude: the
/// smallest one of which `largest` is at most 2^62. Rounding to it changes such a value by 2^-62 of
/// `largest` at most. InputError where `largest` is not positive, not finite, or below 2^-900.
double sum_quantum(double largest);

/// What messages call a field, and of which step its values are.
struct FieldLabel {
  std::string_view name = {};  ///< "temperature"; empty: the field's own (FieldQuantity)
  Index step = -1;             ///< below 0: it is not said
};

/// The sum over all cells of the grid of each component of a field of doubles or floats (its
/// elements' size says which), ghosts left out: every value is rounded to a whole number of quanta
/// (core/exact_sum.hpp), which are added exactly, and the sum to a double. The same on every rank,
/// and for any number of ranks and threads. NumericalError where a value is not finite or has a
/// magnitude above 2^62 quanta, which names the first such cell and its value. Collective.
std::vector<double> sum_cells(const Communicator& communicator, Field& field, double quantum,
                              const FieldLabel& label = {});

/// The same without a quantum: the exact sum of the values themselves, whatever their magnitudes,
/// rounded once to the nearest double (core/superaccumulator.hpp). NumericalError where a value is
/// not finite, which names the first such cell. Takes about one and a half times as long as the sum
/// of quanta.
std::vector<double> sum_cells(const Communicator& communicator, Field& field,
                              const FieldLabel& label = {});

}  // namespace gsim
