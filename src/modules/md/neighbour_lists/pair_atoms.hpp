#pragma once
// The properties of the atoms of one rank that neighbour lists and pair kernels read.

#include <cstdint>

#include "gsim/core/fixed_position.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/md/particles.hpp"

namespace gsim::md {

/// The precision of the distance and force of a pair. Sums and positions have at least the
/// precision of double in both cases.
enum class PairPrecision { mixed, float64 };

/// The atoms of one rank: `locals` owned ones, then ghosts. Views are of executor memory.
struct PairAtoms {
  View<const FixedPosition> positions;
  Index locals = 0;
  View<const std::int32_t> types = {};  ///< empty: all atoms have type 0
  View<const double> charges = {};      ///< empty: no atom has a charge
  View<const std::int64_t> ids = {};    ///< for exclusions and messages; empty: row numbers
};

inline PairAtoms pair_atoms(Particles& p) {
  PairAtoms atoms{p.positions(), p.locals(), p.store.view<std::int32_t>(p.type), {}, p.ids()};
  if (p.has_charges()) atoms.charges = p.store.view<double>(p.charge);
  return atoms;
}

}  // namespace gsim::md
