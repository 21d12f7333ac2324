#pragma once
// Forces of a triplet potential (gsim/md/many_body/triplet_potential.hpp) over full neighbour
// lists, on any executor, in sums of integers that do not depend on lists, threads or ranks.
//
// Ghosts reach two cutoffs far: a triplet whose centre is a ghost within one cutoff of a local has
// its third atom within two. Each rank does these triplets for itself, and nothing travels but
// positions.
//
// Atoms overlap, which is a NumericalError, where a force is larger than any between atoms that are
// not nearer than `closest`, or an atom has more than most_triplet_neighbours within the cutoff.

#include <functional>
#include <memory>

#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/many_body/triplet_config.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"

namespace gsim::md {

struct TripletOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  /// The id that people know an atom by, for messages; none: the engine's.
  std::function<Index(Index)> id_of = {};
};

/// Energies are "pair" and "triplet". Quanta are those that suit largest() alone, until
/// set_quanta(). InputError as check_list_radius().
std::unique_ptr<ShortRange> make_triplet_forces(const Executor& executor, const Box& box,
                                                const TripletConfig& config,
                                                const TripletOptions& options);

}  // namespace gsim::md
