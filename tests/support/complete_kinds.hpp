#pragma once
// Checks that records of parts (BondKind, SurfaceKind, …) report each of their functions that is
// missing.

#include <doctest/doctest.h>

/// Checks that `kind.missing()` reports nothing for `kind`, and something for each copy of it in
/// which one of the function pointers `members` is null.
template <class Kind, class... Members>
void check_missing_functions_are_reported(const Kind& kind, Members... members) {
  CHECK(kind.missing() == nullptr);
  const auto is_reported = [&](auto member) {
    Kind incomplete = kind;
    incomplete.*member = nullptr;
    return incomplete.missing() != nullptr;
  };
  CHECK((is_reported(members) && ...));
}
