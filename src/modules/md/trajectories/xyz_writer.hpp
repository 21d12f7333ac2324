#pragma once
// Trajectories in the extended XYZ format of ASE and OVITO: a line with the number of atoms, a line
// with the box and the columns, and one line for each atom.
//
//   species     name of the type, if the names of all types are chemical symbols; otherwise
//   type, Z     name of the type and, after the position, the atomic number (0: none, which ASE
//               reads as X), since ASE accepts only elements as species
//   pos, id     position, id
//   map_shift   image flags
//   velo        velocity in the units of the run, as OVITO and `[start] kind = "xyz"` read it
//   masses, momenta   for ASE, whose velocities are momenta over masses
//   forces      in eV/Angstrom
//
// The second line also contains Time, Step and, if all atoms are in the file, the potential energy
// in eV. Momenta and energies are in the units of ASE (files/ase_units.hpp); runs in lj units write
// all quantities in lj units.

#include <vector>

#include "src/modules/md/trajectories/text_trajectory.hpp"

namespace gsim::md {

class XyzWriter : public TextTrajectory {
 public:
  XyzWriter(std::string name, const TrajectoryConfig& config, const OutputSetup& setup);
  bool needs_thermo() const override { return config().types.empty(); }

 protected:
  std::string header(const Snapshot& snapshot, Index atoms) const override;
  void append_atom(std::string& text, const AtomLine& atom) const override;
  void append_velocity(std::string& text, const AtomLine& atom) const override;
  void append_force(std::string& text, const AtomLine& atom) const override;

 private:
  double energy_unit_, momentum_unit_;
  /// The atomic number of each type; empty if all names of types are chemical symbols.
  std::vector<Index> atomic_numbers_;
};

}  // namespace gsim::md
