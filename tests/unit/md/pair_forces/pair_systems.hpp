#pragma once
// Crystals with displaced atoms, and results that are compared bit by bit, for tests of short-range
// forces.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gsim/domain/box.hpp"
#include "src/modules/md/pair_forces/pair_forces.hpp"

namespace gsim::md {

/// Integer forces, 3 per atom, and sums.
struct PairResult {
  std::vector<std::int64_t> forces;
  ForceSums sums;
  bool operator==(const PairResult& b) const {
    return forces == b.forces && sums.energy == b.sums.energy &&
           std::equal(sums.virial, sums.virial + 6, b.sums.virial);
  }
};

/// The same Lennard-Jones potential between all of `types`.
inline PairTable lennard_jones_table(double cutoff, Smoothing smoothing = Smoothing::cut,
                                     double epsilon = 1, double sigma = 1,
                                     const std::vector<std::string>& types = {"1"}) {
  PairTable table(types);
  for (int a = 0; a < table.types(); ++a)
    for (int b = a; b < table.types(); ++b)
      table.add(a, b, lennard_jones(epsilon, sigma, cutoff, smoothing));
  return table;
}

/// Calls visit(position) for each site of an fcc crystal of cells^3 unit cells that occupies the
/// fraction `fill` of the box along each axis. Each call of displacement() gives the displacement
/// along one axis.
template <class Displacement, class Visit>
void each_fcc_site(const Box& box, int cells, double fill, const Displacement& displacement,
                   const Visit& visit) {
  const double basis[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
  const auto &l = box.lengths(), &t = box.tilts();
  for (int k = 0; k < cells * cells * cells; ++k)
    for (const auto& b : basis) {
      const double s[3] = {fill * (k % cells + b[0]) / cells,
                           fill * (k / cells % cells + b[1]) / cells,
                           fill * (k / cells / cells + b[2]) / cells};
      ImageCount image;
      const Vector3 point = {s[0] * l[0] + s[1] * t[0] + s[2] * t[1] + displacement(),
                             s[1] * l[1] + s[2] * t[2] + displacement(),
                             s[2] * l[2] + displacement()};
      visit(box.to_fixed(point, image));
    }
}

/// The columns of atoms in the memory of an executor.
struct DeviceAtoms {
  Array<FixedPosition> positions;
  Array<std::int32_t> types;
  Array<double> charges;
  Array<std::int64_t> ids;

  template <class Atoms>
  DeviceAtoms(const Executor& executor, const Atoms& atoms)
      : positions(executor, atoms.positions),
        types(executor, atoms.types),
        charges(executor, atoms.charges),
        ids(executor, atoms.ids) {}
  PairAtoms pair_atoms(Index locals) const {
    return {positions.view(), locals, types.view(), charges.view(), ids.view()};
  }
};

}  // namespace gsim::md
