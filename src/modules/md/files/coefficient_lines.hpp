#pragma once
// Pair coefficients of a LAMMPS data file as lines of text, which trajectories store so that a run
// can continue from a frame.

#include <string>
#include <vector>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The dataset of these lines in H5MD files of gsim.
inline constexpr const char* h5md_pair_coefficients = "parameters/pair_coefficients";

/// The sections "Pair Coeffs" and "PairIJ Coeffs": for each, a line with its name and style ("Pair
/// Coeffs # lj/cut"), followed by its own lines, in which types are given by name.
std::vector<std::string> coefficient_lines(const std::vector<CoefficientSection>& sections,
                                           const std::vector<std::string>& type_names);

/// Parses lines written by coefficient_lines() for the types of a file; lines of other types are
/// ignored. InputError for malformed lines.
std::vector<CoefficientSection> coefficient_sections(const std::vector<std::string>& lines,
                                                     const std::vector<AtomType>& types,
                                                     const std::string& file);

}  // namespace gsim::md
