// Reaction field forces over cluster pairs. The CUDA executor has no cluster lists.
#include "kernels/md/cluster_forces.hpp"
#include "kernels/md/launchers.hpp"
#include "kernels/md/potentials/reaction_field.hpp"

GSIM_PAIR_LAUNCHERS(reaction_field, ReactionField)
