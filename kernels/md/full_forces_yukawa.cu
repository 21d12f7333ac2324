// Yukawa forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/yukawa.hpp"

GSIM_FULL_LAUNCHERS(yukawa, Yukawa)
