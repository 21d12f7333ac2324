// Gaussian forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/gaussian.hpp"

GSIM_FULL_LAUNCHERS(gaussian, Gaussian)
