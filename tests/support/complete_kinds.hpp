#pragma once
// Checks that kinds of parts report each function that they are registered without.

#include <doctest/doctest.h>

/// Checks that `kind` is complete, and incomplete without any one of the functions `members`.
template <class Kind, class... Members>
void check_each(const Kind& kind, Members... members) {
  CHECK(kind.missing() == nullptr);
  const auto is_missed = [&](auto member) {
    Kind less = kind;
    less.*member = nullptr;
    return less.missing() != nullptr;
  };
  CHECK((is_missed(members) && ...));
}
