#include "src/modules/md/structures/droplet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/cube_root.hpp"
#include "src/modules/md/structures/lattice.hpp"

namespace gsim::md {
namespace {

/// Adds an atom at `offset` from the centre of the droplet.
void add_atom(AtomSystem& system, const DropletOptions& o, const Vector3& offset) {
  Vector3 point;
  for (std::size_t a = 0; a < 3; ++a) point[a] = o.centre[a] * o.lengths[a] + offset[a];
  ImageCount image{};
  const FixedPosition p = system.box.to_fixed(point, image);
  image = {};  // image flags are 0 at the start
  system.atoms.position.push_back(p);
  system.atoms.image.push_back(image);
  system.atoms.type.push_back(0);
}

double squared(const Vector3& r) { return r[0] * r[0] + r[1] * r[1] + r[2] * r[2]; }

void fill_liquid(AtomSystem& system, const DropletOptions& o) {
  const std::vector<Vector3> basis = basis_of(LatticeKind::fcc);
  const double edge = cube_root(static_cast<double>(basis.size()) / o.liquid_density);
  const int reach = static_cast<int>(std::ceil(o.radius / edge)) + 1;
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = -reach; k <= reach; ++k)
        for (const Vector3& b : basis) {
          const Vector3 r = {(i + b[0]) * edge, (j + b[1]) * edge, (k + b[2]) * edge};
          if (squared(r) < o.radius * o.radius) add_atom(system, o, r);
        }
}

// Adds one atom at the centre of each cell of the vapour that is not within half a cell of the
// droplet.
void fill_vapour(AtomSystem& system, const DropletOptions& o) {
  if (!(o.vapour_density > 0)) return;
  const double cell_edge = 1 / cube_root(o.vapour_density), min_distance = o.radius + cell_edge / 2;
  Index cells[3];
  Vector3 edge;
  for (std::size_t a = 0; a < 3; ++a) {
    cells[a] = std::max<Index>(1, static_cast<Index>(std::floor(o.lengths[a] / cell_edge + 0.5)));
    edge[a] = o.lengths[a] / static_cast<double>(cells[a]);
  }
  for (Index i = 0; i < cells[0]; ++i)
    for (Index j = 0; j < cells[1]; ++j)
      for (Index k = 0; k < cells[2]; ++k) {
        const Vector3 r = {(static_cast<double>(i) + 0.5) * edge[0] - o.lengths[0] / 2,
                           (static_cast<double>(j) + 0.5) * edge[1] - o.lengths[1] / 2,
                           (static_cast<double>(k) + 0.5) * edge[2] - o.lengths[2] / 2};
        if (squared(r) >= min_distance * min_distance) add_atom(system, o, r);
      }
}

}  // namespace

AtomSystem make_droplet(const DropletOptions& o) {
  GSIM_VALIDATE(o.radius > 0 && o.liquid_density > 0, "a droplet has no radius or no density",
                "give positive numbers");
  for (const double length : o.lengths)
    GSIM_VALIDATE(length > 2 * o.radius,
                  fmt::format("the box has the length {} and the droplet the diameter {}", length,
                              2 * o.radius),
                  "make the box larger or the droplet smaller");
  AtomSystem system{Box({0, 0, 0}, o.lengths), {}, {}, {}, {}, {}, {}};
  fill_liquid(system, o);
  fill_vapour(system, o);
  return system;
}

}  // namespace gsim::md
