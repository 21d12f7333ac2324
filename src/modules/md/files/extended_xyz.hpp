#pragma once
// The extended XYZ format of ASE and OVITO. A frame has a line with the number of atoms, a line of
// key=value pairs, and a line for each atom.

#include <string>
#include <string_view>

#include "gsim/md/units.hpp"
#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

struct XyzOptions {
  Index frame = -1;  ///< index of the frame, from 0; -1: the last one
  const Units* units =
      nullptr;  ///< units of the run, for momenta; null: velocity is momentum over mass
};

/// Reads one frame. Keys: Lattice (rows are the box vectors; the first along x, the second in the
/// xy plane), Origin, pbc, Properties. Columns, in any order: pos and, if present, species (or
/// type, element), id, velo (vel, velocity, velocities) or else momenta in the units of ASE
/// (ase_units.hpp; if the file has no masses, those of the elements are used), charge
/// (charges, initial_charges), mass (masses), map_shift (image), molecule; others are ignored.
/// Types are the species in the order of their first atoms by id. InputError with file and line for
/// malformed input, and for plain XYZ, which has no box.
AtomSystem read_extended_xyz(std::string_view text, const std::string& file,
                             const XyzOptions& options = {});

}  // namespace gsim::md
