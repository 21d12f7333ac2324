#pragma once
// Functions of formulas (expression.hpp) that compute with whole columns of a run's results.

#include <string>
#include <vector>

#include "gsim/engine/registry.hpp"
#include "gsim/engine/validation_function.hpp"

namespace gsim::app {

/// The functions of every physics, and those that modules and plugins registered.
class ColumnFunctions {
 public:
  ColumnFunctions() = default;  ///< those of every physics alone
  /// The registry must outlive this object.
  explicit ColumnFunctions(const Registry& registry)
      : registered_(registry.all<ValidationFunction>()) {}

  /// Null where there is no such function.
  const ValidationFunction* find(const std::string& name) const;
  /// All names, for messages.
  std::vector<std::string> names() const;

 private:
  std::vector<const ValidationFunction*> registered_;
};

/// Evaluates `function`. InputError if it takes another number of columns or of numeric arguments
/// than are given, or if a column has too few rows.
Quantity evaluate(const ValidationFunction& function, const ValidationFunction::Columns& columns,
                  const ValidationFunction::Numbers& numbers);

}  // namespace gsim::app
