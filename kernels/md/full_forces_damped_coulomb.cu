// Damped Coulomb forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/damped_coulomb.hpp"

GSIM_FULL_LAUNCHERS(damped_coulomb, DampedCoulomb)
