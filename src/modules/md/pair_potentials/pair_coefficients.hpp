#pragma once
// Lennard-Jones parameters that a data file gives.

#include <vector>

#include "src/modules/md/pair_potentials/pair_table.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Adds the potentials of the sections "Pair Coeffs" (epsilon, sigma, and maybe a cutoff, of pairs
/// of one type) and "PairIJ Coeffs" (of any pair); false where there are none. InputError for a
/// style that is not lj/cut or one of its kin, and where neither the line nor `cutoff` says how far
/// the potential reaches.
bool add_pair_coefficients(const std::vector<CoefficientSection>& sections, double cutoff,
                           PairTable& table);

}  // namespace gsim::md
