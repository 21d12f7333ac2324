#pragma once
// A system repeated along its box vectors.

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// copies[a] systems beside each other along box vector a, as one: atoms follow each other copy by
/// copy, the first box vector fastest, and get ids 1 … N anew. Bonds lead to the nearest copy of
/// the partner, molecules of different copies are different ones, and images are counted anew.
/// InputError for copies < 1, or more than one along an open axis, or a box that leans too far
/// then.
AtomSystem replicate(const AtomSystem& system, const std::array<Index, 3>& copies);

}  // namespace gsim::md
