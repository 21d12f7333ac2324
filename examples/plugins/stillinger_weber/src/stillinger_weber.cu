// The kernels of the potential: gsim's loop over triplets, compiled with it for every kind of
// processor and for GPUs.
#include <gsim/md/many_body/three_body_forces.hpp>

#include "stillinger_weber.hpp"

GSIM_DECLARE_THREE_BODY_LAUNCHERS(stillinger_weber)
GSIM_DEFINE_THREE_BODY_FORCES(stillinger_weber, StillingerWeber)
