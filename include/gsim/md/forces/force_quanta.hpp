#pragma once
// The fixed-point units in which forces, energies and virials are summed.

namespace gsim::md {

/// The fixed-point units (quanta) of forces, and of energies and virials. They are powers of two,
/// chosen before the first step for the whole run from the largest values of all force terms.
struct ForceQuanta {
  double force = 0, energy = 0;
  friend bool operator==(const ForceQuanta&, const ForceQuanta&) = default;
};

}  // namespace gsim::md
