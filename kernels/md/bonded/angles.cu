// Angles between two bonds.
#include "kernels/md/bonded/angle_styles.hpp"

GSIM_DEFINE_LAUNCHER(md_angles, md::BondedJob) {
  using namespace md_kernels;
  switch (static_cast<md::AngleLaw>(args.law)) {
    case md::AngleLaw::harmonic:
      return run_bonded<Angle<HarmonicAngle>>(executor, "harmonic angles", args);
    case md::AngleLaw::cosine:
      return run_bonded<Angle<CosineAngle>>(executor, "cosine angles", args);
    case md::AngleLaw::cosine_squared:
      return run_bonded<Angle<CosineSquaredAngle>>(executor, "squared cosine angles", args);
  }
}
