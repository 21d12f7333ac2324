#pragma once
// Forces of the embedded-atom method, in sums of integers that do not depend on lists, threads,
// vector registers or ranks: over cluster pair lists on the host, over full neighbour lists on any
// executor; both give the same integer sums.
//
// U = sum F(rho) + sum phi(r); the force between atoms i and j is -(F'(rho_i) rho_j'(r) + F'(rho_j)
// rho_i'(r) + phi'(r)) along r (Daw and Baskes, Phys. Rev. B 29, 6443 (1984), eqs. 4 and 14). One
// pass over the pairs sums densities; F' of every local atom is sent to the ranks on which the atom
// is a ghost; another pass adds forces. Beyond the end of its table F is continued linearly.
//
// An overlap, which is a NumericalError, is in mixed precision a pair whose force over its distance
// is above 64 eV/angstrom^2, or whose density is above a quarter of the range of the table of F.
// With full lists overlaps are recorded in executor memory, which the next load_locals() reads, so
// that each step waits for the device only once (and once more for F' if there are ghosts).

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
  BufferPath buffers = BufferPath::host;  ///< the path of F' from executor memory to other ranks
  int halo_tag = 1;                       ///< tag of the messages with F'
  /// Converts the id of an atom in the run to the id that messages print; empty: the same id.
  std::function<Index(Index)> id_of = {};
};

/// Forces in eV and angstrom over full neighbour lists on a CUDA executor, over cluster lists on
/// the host. Adds a column to the store of `particles`, whose column `type` is the index into the
/// tables. Energies are "embedding" and "pair". Until ShortRange::set_quanta() is called the quanta
/// are chosen for ShortRange::largest() alone. Throws InputError as check_list_radius() does.
std::unique_ptr<ShortRange> make_eam(const Executor& executor, const Box& box,
                                     const EamTables& tables, const EamOptions& options,
                                     Particles& particles);
/// Like make_eam(), with cluster lists; DeviceError on a CUDA executor.
std::unique_ptr<ShortRange> make_cluster_eam(const Executor& executor, const Box& box,
                                             const EamTables& tables, const EamOptions& options,
                                             Particles& particles);
/// Like make_eam(), with full lists. `capacity`: the initial capacity of a row; it grows if needed.
std::unique_ptr<ShortRange> make_full_list_eam(const Executor& executor, const Box& box,
                                               const EamTables& tables, const EamOptions& options,
                                               Particles& particles,
                                               int capacity = full_list_capacity);

}  // namespace gsim::md
