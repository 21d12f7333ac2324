// Morse forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/morse.hpp"

GSIM_FULL_LAUNCHERS(morse, Morse)
