// Dihedral angles.
#include "gsim/md/bonded/bonded_loop.hpp"
#include "kernels/md/bonded/dihedral_series.hpp"

GSIM_DEFINE_LAUNCHER(md_dihedrals, md::BondedJob) {
  md_kernels::run_bonded<md_kernels::Dihedral>(executor, "dihedrals", args);
}
