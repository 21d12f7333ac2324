#pragma once
// Lennard-Jones parameters from data files.

#include <vector>

#include "src/modules/md/pair_potentials/pair_table.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Adds the potentials of the sections "Pair Coeffs" (epsilon, sigma, and optionally a cutoff, of
/// pairs of one type) and "PairIJ Coeffs" (of any pair); false where there are none. InputError for
/// a style that is not lj/cut or lj/cut/coul/…, and where neither the line nor `cutoff` gives a
/// cutoff.
bool add_pair_coefficients(const std::vector<CoefficientSection>& sections, double cutoff,
                           PairTable& table);

}  // namespace gsim::md
