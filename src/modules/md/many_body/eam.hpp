#pragma once
// Forces of embedded atoms, in sums of integers that do not depend on lists, threads, registers or
// ranks: over clusters on the host, over full lists on any executor, with the same integers.
//
// U = sum F(rho) + sum phi(r); the force between atoms i and j is -(F'(rho_i) rho_j'(r) + F'(rho_j)
// rho_i'(r) + phi'(r)) along r (Daw and Baskes, Phys. Rev. B 29, 6443 (1984), eqs. 4 and 14). One
// pass over the pairs sums densities; F' of every local is sent to where it is a ghost; another
// pass adds forces. A density beyond the end of the table of F: F goes on straight.
//
// Atoms overlap, which is a NumericalError, where in mixed precision a pair's force over its
// distance is above 64 eV/angstrom^2, or its density above a quarter of what the table of F reaches
// to. Over full lists that stands in a word in executor memory, which is read with the next
// load_locals(), so that a step waits for the device once (and for F', where there are ghosts).

#include <functional>
#include <memory>

#include "gsim/comm/message_buffer.hpp"
#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/many_body/eam_tables.hpp"
#include "src/modules/md/neighbour_lists/list_limits.hpp"
#include "src/modules/md/neighbour_lists/pair_atoms.hpp"

namespace gsim::md {

struct EamOptions {
  double skin = 0.3;
  PairPrecision precision = PairPrecision::mixed;
  BufferPath buffers = BufferPath::host;  ///< how F' travels from executor memory
  int halo_tag = 1;                       ///< of the messages with F'
  /// The id that people know an atom by, for messages; none: the engine's.
  std::function<Index(Index)> id_of = {};
};

/// Full lists on a CUDA executor, clusters on the host. Adds a column to the store of `particles`,
/// whose type indexes the tables: eV and angstrom are the units. Energies are "embedding" and
/// "pair". Quanta are those that suit largest() alone, until set_quanta(). InputError as
/// check_list_radius().
std::unique_ptr<ShortRange> make_eam(const Executor& executor, const Box& box,
                                     const EamTables& tables, const EamOptions& options,
                                     Particles& particles);
/// DeviceError on a CUDA executor.
std::unique_ptr<ShortRange> make_cluster_eam(const Executor& executor, const Box& box,
                                             const EamTables& tables, const EamOptions& options,
                                             Particles& particles);
/// `capacity`: the neighbours of an atom that lists have room for before they grow.
std::unique_ptr<ShortRange> make_full_list_eam(const Executor& executor, const Box& box,
                                               const EamTables& tables, const EamOptions& options,
                                               Particles& particles,
                                               int capacity = full_list_capacity);

}  // namespace gsim::md
