#pragma once
// Trajectories in the text format of LAMMPS dump files: ITEM lines, the bounds of the box (of the
// enclosing orthogonal box if it is triclinic), and columns id type x y z [ix iy iz] [vx vy vz] [fx
// fy fz].

#include "src/modules/md/trajectories/text_trajectory.hpp"

namespace gsim::md {

class DumpWriter : public TextTrajectory {
 public:
  using TextTrajectory::TextTrajectory;

 protected:
  std::string header(const Snapshot& snapshot, Index atoms) const override;
  void append_atom(std::string& text, const AtomLine& atom) const override;
};

}  // namespace gsim::md
