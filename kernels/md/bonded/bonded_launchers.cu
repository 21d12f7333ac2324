// Dihedrals, and scaled pair potentials between atoms three bonds apart.
#include "kernels/md/bonded/bonded_launchers.hpp"
#include "kernels/md/bonded/dihedral_series.hpp"
#include "kernels/md/bonded/scaled_pairs.hpp"

GSIM_DEFINE_LAUNCHER(md_scaled_pairs, md::BondedJob) {
  md_kernels::run_bonded<md_kernels::ScaledPair>(executor, "1-4 pairs", args);
}
GSIM_DEFINE_LAUNCHER(md_dihedrals, md::BondedJob) {
  md_kernels::run_bonded<md_kernels::Dihedral>(executor, "dihedrals", args);
}
