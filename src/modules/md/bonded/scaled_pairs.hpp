#pragma once
// What 1-4 pairs of scaled strength take from a run's pair potentials.

#include "src/modules/md/bonded/bonded_parameters.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"

namespace gsim::md {

/// The table's Lennard-Jones parameters of every pair of types, without cutoffs and shifts; epsilon
/// 0 where nothing acts. `coulomb`: Units::coulomb, or 0 in a run without charges. InputError for
/// other potentials than one Lennard-Jones between two types: of these no plain form is known.
ScaledPairParameters scaled_pairs(const PairTable& table, double coulomb);

}  // namespace gsim::md
