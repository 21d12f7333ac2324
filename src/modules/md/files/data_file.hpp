#pragma once
// LAMMPS data files: header, Atoms in the styles atomic, charge, bond (angle and molecular have the
// same columns) and full, Velocities, Masses, Bonds, Angles, Dihedrals, type labels, and sections
// of coefficients.
// Sections and their rows may come in any order.

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The style of rows of Atoms. `from_file`: the style in the comment after the name of the
/// section or, without a comment, the one that follows from the number of columns; InputError where
/// several styles have that number.
enum class DataStyle { from_file, atomic, charge, bond, angle, molecular, full };

/// The names of the styles in a configuration, in the order of DataStyle.
std::span<const std::string_view> data_style_names();

struct DataFileOptions {
  DataStyle style = DataStyle::from_file;
  std::array<Boundary, 3> boundaries{};
};

/// Reads the text of `file`. InputError with file, line and field for malformed input. Improper
/// dihedrals are refused, since gsim has no potentials for them.
AtomSystem read_data_file(std::string_view text, const std::string& file,
                          const DataFileOptions& options = {});

}  // namespace gsim::md
