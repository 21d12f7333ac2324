#pragma once
// Replication of a system along its box vectors.

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

/// The system repeated copies[a] times along box vector a: atoms are ordered copy by copy, the
/// first box vector fastest, with new ids 1 … N. Bonds connect to the nearest copy of the partner,
/// molecules of different copies have different ids, and image flags are set to 0. InputError for
/// copies < 1, for more than one along an open axis, and where the tilts of the new box are too
/// large.
AtomSystem replicate(const AtomSystem& system, const std::array<Index, 3>& copies);

}  // namespace gsim::md
