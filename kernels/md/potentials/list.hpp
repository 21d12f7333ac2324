#pragma once
// All pair potentials, for set-up code.

#include "kernels/md/potentials/buckingham.hpp"
#include "kernels/md/potentials/damped_coulomb.hpp"
#include "kernels/md/potentials/gaussian.hpp"
#include "kernels/md/potentials/lennard_jones.hpp"
#include "kernels/md/potentials/morse.hpp"
#include "kernels/md/potentials/names.hpp"
#include "kernels/md/potentials/radial_table.hpp"
#include "kernels/md/potentials/reaction_field.hpp"
#include "kernels/md/potentials/yukawa.hpp"
