#pragma once
// Trajectories in extended XYZ, as ASE and OVITO read it: a line with the number of atoms, one with
// the box and the columns, and one for each atom.
//
//   species     type of the atom, where the names of all types are chemical symbols; otherwise
//   type, Z     its name, and behind the position the atomic number of its element (0: none, which
//               is ASE's X), since ASE accepts only elements as species
//   pos, id     position, id
//   map_shift   the image
//   velo        the velocity, in the run's units, as OVITO and `[start] kind = "xyz"` read it
//   masses, momenta   for ASE, whose velocities are momenta over masses
//   forces      in eV/Angstrom
//
// and in the second line energy, the potential energy in eV, where all atoms are in the file, Time
// and Step. Momenta and energies are in ASE's units (files/ase_units.hpp); in lj units all is in
// lj units.

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
  /// Atomic number of each type; empty where all names are chemical symbols.
  std::vector<Index> atomic_numbers_;
};

}  // namespace gsim::md
