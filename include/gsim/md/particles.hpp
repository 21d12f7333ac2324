#pragma once
// The atoms of one rank: a ParticleStore with the columns that every run of molecular dynamics has.
// All parts of a simulation use it; forces, integrators and observers add columns of their own.

#include "gsim/domain/particle_store.hpp"

namespace gsim::md {

struct MovingParticles;

struct ParticleOptions {
  bool charges = false;    ///< a column "charge", copied to ghosts
  bool molecules = false;  ///< a column "molecule"
};

struct Particles {
  Particles(const Executor& executor, const ParticleOptions& options);

  ParticleStore store;
  ColumnId image;     ///< int32 x 3: image flags
  ColumnId velocity;  ///< float64 x 3
  ColumnId force;     ///< int64 x 3, in force quanta
  ColumnId type;      ///< int32, index into the list of types; also for ghosts
  /// int32, index into the list of atom classes: atoms of one type that belong to the same groups
  /// and are integrated in the same way.
  ColumnId atom_class;
  ColumnId charge;    ///< float64, in charge units; index -1 if the run has no charges
  ColumnId molecule;  ///< int64; index -1 if molecules are not needed

  Index locals() const { return store.locals(); }
  bool has_charges() const { return charge.index >= 0; }
  View<FixedPosition> positions() { return store.view<FixedPosition>(store.position()); }
  View<std::int64_t> ids() { return store.view<std::int64_t>(store.id()); }
  /// Views of the owned atoms for the kernels of kernels/md/integrators/integrate.hpp, whose `type`
  /// is atom_class.
  MovingParticles moving();
};

}  // namespace gsim::md
