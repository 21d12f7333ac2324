#include "gsim/md/particles.hpp"

#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {

Particles::Particles(const Executor& executor, const ParticleOptions& options)
    : store(executor),
      image(store.add_column("image", ElementType::int32, 3, Ghosts::none)),
      velocity(store.add_column("velocity", ElementType::float64, 3, Ghosts::none)),
      force(store.add_column("force", ElementType::int64, 3, Ghosts::none)),
      type(store.add_column("type", ElementType::int32, 1, Ghosts::copied)),
      atom_class(store.add_column("motion_class", ElementType::int32, 1, Ghosts::none)) {
  if (options.charges) charge = store.add_column("charge", ElementType::float64, 1, Ghosts::copied);
  if (options.molecules)
    molecule = store.add_column("molecule", ElementType::int64, 1, Ghosts::none);
}

MovingParticles Particles::moving() {
  const Index n = locals();
  return {{positions().data, n},
          store.elements<std::int32_t>(image),
          store.elements<double>(velocity),
          store.elements<std::int64_t>(force),
          store.elements<std::int32_t>(atom_class),
          {ids().data, n}};
}

}  // namespace gsim::md
