// The kernels of the potential: gsim's loop over triplets, compiled with it for every kind of
// processor and for GPUs.
#include <gsim/md/many_body/triplet_forces.hpp>

#include "stillinger_weber.hpp"

GSIM_DECLARE_TRIPLET_LAUNCHERS(stillinger_weber)
GSIM_DEFINE_TRIPLET_FORCES(stillinger_weber, StillingerWeber)
