#include <gsim/engine/plugin.hpp>
#include <gsim/md/pair_potentials/potential_kind.hpp>

#include "lennard_jones_copy.hpp"

GSIM_DECLARE_PAIR_LAUNCHERS(lennard_jones_copy, LennardJonesCopy)

GSIM_PLUGIN("copied_potential", "1", "MIT", "a copy of a pair potential of gsim",
            [](gsim::Registry& registry) {
              registry.extend(GSIM_PAIR_POTENTIAL(lennard_jones_copy, LennardJonesCopy));
            })
