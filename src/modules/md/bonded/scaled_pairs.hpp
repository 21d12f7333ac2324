#pragma once
// Lennard-Jones parameters of scaled 1-4 pairs, from the pair potentials of the run.

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

/// The table's Lennard-Jones parameters of every pair of types, without cutoffs and shifts; epsilon
/// is 0 where no potential acts. `coulomb`: Units::coulomb, or 0 in a run without charges.
/// InputError unless at most one Lennard-Jones potential acts between each two types.
ScaledPairParameters scaled_pairs(const PairTable& table, double coulomb);

}  // namespace gsim::md
