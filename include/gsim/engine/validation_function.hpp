#pragma once
// Functions that the formulas of `gsim validate` can call on whole columns of a run's results, such
// as slope('thermo/energy', 'thermo/time'). Functions of one physics are registered by its module:
//
//   registry.extend(gsim::ValidationFunction{.module = "transport", .name = "pins_rms", …});

#include <cstddef>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/engine/registry.hpp"

namespace gsim {

/// A number and its uncertainty.
struct Quantity {
  double value = 0;
  double standard_error = 0;      ///< an upper bound: errors are added as if fully correlated
  double degrees_of_freedom = 0;  ///< the fewest of its estimates; 0: infinitely many
  Index samples = 0;              ///< most samples behind one of its estimates
};

struct ValidationFunction {
  static constexpr char extends[] = "validation function";
  using Columns = std::vector<std::vector<double>>;
  using Numbers = std::vector<double>;

  std::string module;        ///< module that defines it; empty: available to every module
  std::string name;          ///< name in formulas
  std::string doc;           ///< one line
  std::size_t columns = 1;   ///< arguments that are columns; they come first
  std::size_t numbers = 0;   ///< arguments that are numbers
  bool needs_rows = true;    ///< whether a first column without rows is an error
  std::string example = {};  ///< not used; Registry::extend() requires it
  /// Evaluates the function for `columns` columns and `numbers` numbers. InputError for arguments
  /// outside its domain.
  Quantity (*evaluate)(const Columns& columns, const Numbers& numbers) = nullptr;
  const char* missing() const {
    return evaluate != nullptr ? nullptr : "a function that computes it (evaluate)";
  }
};

}  // namespace gsim
