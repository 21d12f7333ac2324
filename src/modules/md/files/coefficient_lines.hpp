#pragma once
// Coefficients of pairs that a LAMMPS data file gave, as lines of text that trajectories hold: what
// a run takes from there shall not be lost when it goes on from a frame.

#include <string>
#include <vector>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// Where H5MD files of gsim's have them.
inline constexpr const char* h5md_pair_coefficients = "parameters/pair_coefficients";

/// The sections "Pair Coeffs" and "PairIJ Coeffs": each a line of its name and style ("Pair Coeffs
/// # lj/cut"), then a line for each of its own, the types by their names.
std::vector<std::string> coefficient_lines(const std::vector<CoefficientSection>& sections,
                                           const std::vector<std::string>& type_names);

/// Back again, for the types of a file; lines about other types are left out. InputError for lines
/// that are none of these.
std::vector<CoefficientSection> coefficient_sections(const std::vector<std::string>& lines,
                                                     const std::vector<AtomType>& types,
                                                     const std::string& file);

}  // namespace gsim::md
