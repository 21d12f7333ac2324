#include "src/modules/md/setup/replicate.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

/// A coordinate in 2^-64 of the box, with the index of the copy in the upper half.
__extension__ typedef unsigned __int128 WideFraction;
/// The indices of a copy along the three box vectors.
using Cell = std::array<Index, 3>;

class Replication {
 public:
  Replication(const AtomSystem& system, const Cell& copies)
      : from_(system), copies_(copies), copy_count_(copies[0] * copies[1] * copies[2]) {
    to_.box = replicated_box();
    to_.types = system.types;
    to_.coefficients = system.coefficients;
    to_.file = system.file;
  }

  AtomSystem run() {
    copy_atoms();
    copy_tuples(from_.topology.bonds, to_.topology.bonds);
    copy_tuples(from_.topology.angles, to_.topology.angles);
    copy_tuples(from_.topology.dihedrals, to_.topology.dihedrals);
    to_.topology.bond_types = from_.topology.bond_types;
    to_.topology.angle_types = from_.topology.angle_types;
    to_.topology.dihedral_types = from_.topology.dihedral_types;
    return std::move(to_);
  }

 private:
  Box replicated_box() const {
    const Box& b = from_.box;
    Vector3 lengths = b.lengths(), tilts = b.tilts();
    const auto n = [this](std::size_t a) { return static_cast<double>(copies_[a]); };
    for (std::size_t a = 0; a < 3; ++a) lengths[a] *= n(a);
    tilts = {tilts[0] * n(1), tilts[1] * n(2), tilts[2] * n(2)};
    return Box(b.origin(), lengths, tilts, {b.boundary(0), b.boundary(1), b.boundary(2)});
  }
  Cell cell(Index copy) const {
    return {copy % copies_[0], copy / copies_[0] % copies_[1], copy / (copies_[0] * copies_[1])};
  }
  Index copy_of(const Cell& c) const { return c[0] + copies_[0] * (c[1] + copies_[1] * c[2]); }

  template <class T>
  void repeat(const std::vector<T>& from, std::vector<T>& to) const {
    for (Index copy = 0; copy < copy_count_; ++copy) to.insert(to.end(), from.begin(), from.end());
  }
  void copy_atoms() {
    const AtomColumns& a = from_.atoms;
    repeat(a.type, to_.atoms.type);
    repeat(a.velocity, to_.atoms.velocity);
    repeat(a.charge, to_.atoms.charge);
    to_.atoms.image.assign(to_.atoms.type.size(), ImageCount{});
    const Index molecules =
        a.molecule.empty() ? 0 : *std::max_element(a.molecule.begin(), a.molecule.end());
    for (Index copy = 0; copy < copy_count_; ++copy) {
      const Cell at = cell(copy);
      for (const FixedPosition& p : a.position) {
        FixedPosition& q = to_.atoms.position.emplace_back();
        for (std::size_t k = 0; k < 3; ++k)
          q.x[k] = static_cast<std::uint64_t>(((static_cast<WideFraction>(at[k]) << 64) | p.x[k]) /
                                              static_cast<std::uint64_t>(copies_[k]));
      }
      for (const std::int64_t m : a.molecule)
        to_.atoms.molecule.push_back(m == 0 ? 0 : m + copy * molecules);
    }
  }

  /// Offset in boxes along one axis, -1, 0 or 1, from atom `i` to the nearest image of atom `j`.
  Index crossing(Index i, Index j, std::size_t axis) const {
    const std::uint64_t from = from_.atoms.position[static_cast<std::size_t>(i)].x[axis];
    const std::uint64_t to = from_.atoms.position[static_cast<std::size_t>(j)].x[axis];
    const bool is_forward = nearest_image(to, from) >= 0;
    return (is_forward && to < from ? 1 : 0) - (!is_forward && to > from ? 1 : 0);
  }
  template <int n>
  void copy_tuples(const std::vector<BondedTuple<n>>& from, std::vector<BondedTuple<n>>& to) const {
    for (Index copy = 0; copy < copy_count_; ++copy)
      for (const BondedTuple<n>& tuple : from) {
        BondedTuple<n>& t = to.emplace_back(tuple);
        Cell at = cell(copy);
        t.atoms[0] += copy * from_.atoms.size();
        for (std::size_t k = 1; k < n; ++k) {
          for (std::size_t a = 0; a < 3; ++a)
            at[a] =
                (at[a] + crossing(tuple.atoms[k - 1], tuple.atoms[k], a) + copies_[a]) % copies_[a];
          t.atoms[k] += copy_of(at) * from_.atoms.size();
        }
      }
  }

  const AtomSystem& from_;
  Cell copies_;
  Index copy_count_;
  AtomSystem to_{from_.box, {}, {}, {}, {}, {}, {}};
};

// Every rank stores all atoms during the start of the run.
void check_copies(const AtomSystem& system, const Cell& copies) {
  constexpr double max_atoms = 0x1p32;
  double atoms = static_cast<double>(system.atoms.size());
  for (const Index n : copies) atoms *= static_cast<double>(n);
  GSIM_VALIDATE(atoms <= max_atoms,
                fmt::format("all copies together have {:.3g} atoms; at most {:g} are possible",
                            atoms, max_atoms),
                "make fewer copies, or begin from a lattice");
}

}  // namespace

AtomSystem replicate(const AtomSystem& system, const std::array<Index, 3>& copies) {
  for (std::size_t a = 0; a < 3; ++a) {
    GSIM_VALIDATE(copies[a] >= 1,
                  fmt::format("the number of copies along axis {} is {}", a, copies[a]),
                  "give at least one along each box vector");
    GSIM_VALIDATE(copies[a] == 1 || system.box.boundary(static_cast<int>(a)) == Boundary::periodic,
                  fmt::format("{} copies along axis {}, which is open", copies[a], a),
                  "give 1 copy along this axis");
  }
  check_copies(system, copies);
  return Replication(system, copies).run();
}

}  // namespace gsim::md
