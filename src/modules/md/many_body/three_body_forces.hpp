#pragma once
// Forces of a three-body potential (gsim/md/many_body/three_body_potential.hpp) over full neighbour
// lists, on any executor, in sums of integers that do not depend on lists, threads or ranks.
//
// Ghosts are needed within two cutoffs: the centre of a triplet may be a ghost within one cutoff of
// a local, and the third atom is within one cutoff of the centre. Each rank computes these triplets
// itself, so that only positions are exchanged.
//
// An overlap of atoms is a NumericalError: a force that is larger than those between atoms at
// distances of `closest` and more, or an atom with more than max_three_body_neighbours within the
// cutoff.

#include <functional>
#include <memory>

#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/many_body/three_body_config.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"

namespace gsim::md {

struct ThreeBodyOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  /// Converts the id of an atom in the run to the id that messages print; empty: the same id.
  std::function<Index(Index)> id_of = {};
};

/// Energies are "pair" and "triplet". Until set_quanta() is called, the quanta follow from
/// largest() of these forces alone. InputError as check_list_radius().
std::unique_ptr<ShortRange> make_three_body_forces(const Executor& executor, const Box& box,
                                                   const ThreeBodyConfig& config,
                                                   const ThreeBodyOptions& options);

}  // namespace gsim::md
