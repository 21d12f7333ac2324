// Bonds, and pairs of atoms that bonds make special.
#include "kernels/md/bonded/bond_styles.hpp"

GSIM_DEFINE_LAUNCHER(md_bonds, md::BondedJob) {
  using namespace md_kernels;
  switch (static_cast<md::BondLaw>(args.law)) {
    case md::BondLaw::harmonic:
      return run_bonded<Bond<HarmonicBond>>(executor, "harmonic bonds", args);
    case md::BondLaw::fene:
      return run_bonded<Bond<FeneBond>>(executor, "FENE bonds", args);
    case md::BondLaw::pair:
      return run_bonded<Bond<ScaledPair>>(executor, "1-4 pairs", args);
  }
}
