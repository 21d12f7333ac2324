// Tabulated forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/radial_table.hpp"

GSIM_FULL_LAUNCHERS(table, RadialTable)
