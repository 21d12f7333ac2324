// The embedded-atom method over full neighbour lists in float.
#include "kernels/md/many_body/full_eam.hpp"

GSIM_FULL_EAM_LAUNCHERS(f32, float)
