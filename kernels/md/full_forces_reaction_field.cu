// Reaction field forces over full neighbour lists.
#include "kernels/md/full_forces.hpp"
#include "kernels/md/potentials/reaction_field.hpp"

GSIM_FULL_LAUNCHERS(reaction_field, ReactionField)
