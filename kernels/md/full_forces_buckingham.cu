// Buckingham forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/buckingham.hpp"

GSIM_FULL_LAUNCHERS(buckingham, Buckingham)
