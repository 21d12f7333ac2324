#pragma once
// Which checks are active beside those of bounds, alignment, barriers and deadlocks.

#include <cstdint>

namespace ptxemu {

/// Options of the checks.
struct Checks {
  /// What a data race leads to: nothing is checked; a message, and the program continues; a fault.
  enum class Races : std::uint8_t { unchecked, reported, faults };
  bool initialised = false;  ///< whether reads of uninitialised shared and local memory are faults
  Races races = Races::unchecked;
  bool any() const { return initialised || races != Races::unchecked; }
};

}  // namespace ptxemu
