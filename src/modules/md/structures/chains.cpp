#include "src/modules/md/structures/chains.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "gsim/random/stream.hpp"
#include "gsim/random/uniform.hpp"
#include "src/modules/md/cube_root.hpp"

namespace gsim::md {
namespace {

// Steps of random-number addresses: position of the first atom of a chain, direction of a bond.
enum AddressStep : std::uint64_t { place, direction };

Box box_of(const ChainOptions& o) {
  GSIM_VALIDATE(o.chains > 0 && o.length > 0,
                fmt::format("{} chains of {} atoms", o.chains, o.length),
                "give at least one chain of one atom");
  GSIM_VALIDATE(o.chains <= (Index{1} << 40) / o.length,
                fmt::format("{} chains of {} atoms are too many", o.chains, o.length),
                "give at most 2^40 atoms");
  GSIM_VALIDATE(o.density > 0 && std::isfinite(o.density),
                fmt::format("the density of the chains is {}", o.density),
                "give a positive number");
  GSIM_VALIDATE(o.bond_length > 0 && std::isfinite(o.bond_length),
                fmt::format("the bond length of the chains is {}", o.bond_length),
                "give a positive number");
  GSIM_VALIDATE(o.min_1_3_distance >= 0 && o.min_1_3_distance < 1.9 * o.bond_length,
                fmt::format("atoms two bonds of {} apart can hardly have a distance of {} or more",
                            o.bond_length, o.min_1_3_distance),
                "give less than 1.9 bond lengths");
  const double edge = cube_root(static_cast<double>(o.chains * o.length) / o.density);
  return Box({0, 0, 0}, {edge, edge, edge});
}

/// The smallest n with n^power >= x.
Index root_above(Index x, int power) {
  Index n = 1;
  for (;; ++n) {
    Index product = 1;
    for (int k = 0; k < power; ++k) product *= n;
    if (product >= x) return n;
  }
}

/// The numbers of lattice cells along x, y and z for `atoms` atoms, as equal as possible.
std::array<Index, 3> cells_of(Index atoms) {
  const Index x = root_above(atoms, 3);
  const Index y = root_above((atoms + x - 1) / x, 2);
  return {x, y, (atoms + x * y - 1) / (x * y)};
}

}  // namespace

Chains::Chains(const ChainOptions& options)
    : options_(options), box_(box_of(options)), cells_(cells_of(options.chains * options.length)) {
  check_addresses("randomly grown chains", atoms(), 2, Index{4} * random_block_limit);
}

/// The path alternates its direction along x from row to row, and along y from layer to layer.
Vector3 Chains::lattice_position(Index atom) const {
  const Index row = atom / cells_[0], layer = row / cells_[1];
  Index at[3] = {atom % cells_[0], row % cells_[1], layer};
  if (row % 2 != 0) at[0] = cells_[0] - 1 - at[0];
  if (layer % 2 != 0) at[1] = cells_[1] - 1 - at[1];
  Vector3 point{};
  for (std::size_t a = 0; a < 3; ++a)
    point[a] =
        (static_cast<double>(at[a]) + 0.5) / static_cast<double>(cells_[a]) * box_.lengths()[a];
  return point;
}

Vector3 Chains::first_position(Index atom) const {
  const PhiloxKey key = stream_key({options_.seed, Purpose::md_start_chain});
  const auto entity = static_cast<std::uint64_t>(atom);
  const auto xy = uniforms<double>(philox_block(key, entity, place, 0));
  const auto z = uniforms<double>(philox_block(key, entity, place, 1));
  const Vector3& l = box_.lengths();
  return {xy[0] * l[0], xy[1] * l[1], z[0] * l[2]};
}

Vector3 Chains::bond_vector(Index atom, const Vector3* previous) const {
  const PhiloxKey key = stream_key({options_.seed, Purpose::md_start_chain});
  const double min_distance2 = options_.min_1_3_distance * options_.min_1_3_distance;
  // Even for 1.9 bond lengths a tenth of the directions is accepted, so the last block is
  // practically never reached.
  for (std::uint32_t block = 0; block < random_block_limit; ++block) {
    const auto u =
        uniforms<double>(philox_block(key, static_cast<std::uint64_t>(atom), direction, block));
    // The height of a uniform point on the unit sphere is uniform (Archimedes).
    const double height = 2 * u[0] - 1, radius = std::sqrt((1 - height) * (1 + height));
    const auto azimuth = sincos_2pi<Strict>(double{u[1]});
    const double b = options_.bond_length;
    const Vector3 v{b * radius * azimuth.cos, b * radius * azimuth.sin, b * height};
    if (previous == nullptr) return v;
    double r2 = 0;
    for (std::size_t a = 0; a < 3; ++a) r2 += (v[a] + (*previous)[a]) * (v[a] + (*previous)[a]);
    if (r2 >= min_distance2) return v;
  }
  throw Error("internal error: a chain found no direction to grow");
}

AtomColumns Chains::atoms_in(IndexRange range) const {
  AtomColumns atoms;
  if (range.empty()) return atoms;
  const auto n = static_cast<std::size_t>(range.size());
  atoms.type.assign(n, 0);
  atoms.position.reserve(n);
  atoms.image.reserve(n);
  atoms.molecule.reserve(n);
  const Index length = options_.length;
  for (Index chain = range.first / length; chain * length < range.last; ++chain) {
    Vector3 point{}, step{};
    for (Index k = 0; k < length && chain * length + k < range.last; ++k) {
      const Index atom = chain * length + k;
      if (options_.layout == ChainLayout::lattice) {
        point = lattice_position(atom);
      } else if (k == 0) {
        point = first_position(atom);
      } else {
        step = bond_vector(atom, k == 1 ? nullptr : &step);
        for (std::size_t a = 0; a < 3; ++a) point[a] += step[a];
      }
      if (atom < range.first) continue;
      ImageCount image{};
      atoms.position.push_back(box_.to_fixed(point, image));
      atoms.image.push_back(image);
      atoms.molecule.push_back(chain + 1);
    }
  }
  return atoms;
}

Topology Chains::topology() const {
  Topology t;
  const Index length = options_.length;
  const auto add_tuples = [&](auto& list, auto& types, Index n) {
    types = {"1"};
    list.reserve(static_cast<std::size_t>(options_.chains * std::max<Index>(length - n + 1, 0)));
    for (Index chain = 0; chain < options_.chains; ++chain)
      for (Index k = 0; k + n <= length; ++k) {
        auto& tuple = list.emplace_back();
        for (Index j = 0; j < n; ++j)
          tuple.atoms[static_cast<std::size_t>(j)] = chain * length + k + j;
      }
  };
  add_tuples(t.bonds, t.bond_types, 2);
  if (options_.with_angles) add_tuples(t.angles, t.angle_types, 3);
  if (options_.with_dihedrals) add_tuples(t.dihedrals, t.dihedral_types, 4);
  return t;
}

}  // namespace gsim::md
