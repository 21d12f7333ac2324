// The embedded-atom method over full neighbour lists in double.
#include "kernels/md/many_body/full_eam.hpp"

GSIM_FULL_EAM_LAUNCHERS(f64, double)
