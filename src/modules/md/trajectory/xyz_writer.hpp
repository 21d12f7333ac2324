#pragma once
// Trajectories in extended XYZ, as ASE and OVITO read it: a line of the number of atoms, one of the
// box and the columns, and one an atom. Names of columns are OVITO's: species, pos, id, map_shift
// (the image), velo, force; the first two stand where readers of plain XYZ look for them.

#include "src/modules/md/trajectory/text_trajectory.hpp"

namespace gsim::md {

class XyzWriter : public TextTrajectory {
 public:
  using TextTrajectory::TextTrajectory;

 protected:
  std::string header(const Snapshot& snapshot, Index atoms) const override;
  void append_atom(std::string& text, const AtomLine& atom) const override;
};

}  // namespace gsim::md
