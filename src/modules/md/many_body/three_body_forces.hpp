#pragma once
// Forces of a three-body potential (gsim/md/many_body/three_body_potential.hpp) over full neighbour
// lists, on any executor, in sums of integers that do not depend on lists, threads or ranks.
//
// Ghosts reach two cutoffs far: a triplet whose centre is a ghost within one cutoff of a local has
// its third atom within two. Each rank computes these triplets itself, so that only positions are
// exchanged.
//
// An overlap, which is a NumericalError, is a force that is larger than any between atoms that are
// not nearer than `closest`, or an atom with more than max_three_body_neighbours within the cutoff.

#include <functional>
#include <memory>

#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/many_body/three_body_config.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"

namespace gsim::md {

struct ThreeBodyOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  /// The id of an atom in messages, from its id in the run; none: the latter.
  std::function<Index(Index)> id_of = {};
};

/// Energies are "pair" and "three_body". Quanta are those that suit largest() alone, until
/// set_quanta(). InputError as check_list_radius().
std::unique_ptr<ShortRange> make_three_body_forces(const Executor& executor, const Box& box,
                                                   const ThreeBodyConfig& config,
                                                   const ThreeBodyOptions& options);

}  // namespace gsim::md
