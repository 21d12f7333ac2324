// Damped Coulomb forces over cluster pairs. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_forces.hpp"
#include "kernels/md/launchers.hpp"
#include "kernels/md/potentials/damped_coulomb.hpp"

GSIM_PAIR_LAUNCHERS(damped_coulomb, DampedCoulomb)
