#pragma once
// The pair potentials: the word of their launchers, and their struct in this folder.

#define GSIM_PAIR_POTENTIALS(X)    \
  X(lennard_jones, LennardJones)   \
  X(morse, Morse)                  \
  X(yukawa, Yukawa)                \
  X(buckingham, Buckingham)        \
  X(gaussian, Gaussian)            \
  X(table, RadialTable)            \
  X(reaction_field, ReactionField) \
  X(damped_coulomb, DampedCoulomb)
