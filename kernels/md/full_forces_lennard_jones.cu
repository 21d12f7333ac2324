// Lennard-Jones forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/lennard_jones.hpp"

GSIM_FULL_LAUNCHERS(lennard_jones, LennardJones)
