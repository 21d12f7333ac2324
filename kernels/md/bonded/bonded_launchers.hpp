#pragma once
// The launchers of bonded interactions other than bond and angle styles.

#include "gsim/md/bonded/bonded_job.hpp"

GSIM_DECLARE_LAUNCHER(md_scaled_pairs, md::BondedJob)
GSIM_DECLARE_LAUNCHER(md_dihedrals, md::BondedJob)
