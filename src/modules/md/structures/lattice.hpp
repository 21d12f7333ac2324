#pragma once
// Crystals. Each rank can generate any range of the atoms without communication.

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "src/modules/md/setup/atom_system.hpp"

namespace gsim::md {

enum class LatticeKind { sc, bcc, fcc, diamond, custom };

/// The names of the kinds in a configuration, in the order of LatticeKind.
std::span<const std::string_view> lattice_names();

/// The structure and size of a crystal.
struct LatticeOptions {
  LatticeKind kind = LatticeKind::fcc;
  /// Exactly one of the two is positive: the edge of the conventional cell (along x, for a
  /// custom cell), or the number of atoms per volume.
  double constant = 0;
  double density = 0;
  /// The crystal directions that lie along x, y and z: whole numbers, at right angles to each
  /// other, right-handed.
  std::array<std::array<int, 3>, 3> orientation{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  /// Repetitions along x, y and z of the oriented cell, which is the smallest box with edges along
  /// these directions whose repetition gives the crystal.
  std::array<Index, 3> cells{1, 1, 1};
  Vector3 origin{};  ///< lower corner of the box
  /// Displacement of all atoms, in units of the edges of the conventional cell, before the
  /// orientation.
  Vector3 shift{};
  std::array<Boundary, 3> boundaries{};
  /// Type of each atom of the conventional cell, in the order of basis_of(); empty: all 0.
  std::vector<std::int32_t> basis_types = {};
  /// For LatticeKind::custom: positions of the atoms in fractions of the cell's edges, and the
  /// ratios of the edges to the one along x. The ratios must be 1 if an orientation is given.
  std::vector<Vector3> basis = {};
  Vector3 ratios{1, 1, 1};
};

/// The atoms of the conventional cell, in fractions of its edges, all in [0, 1).
std::vector<Vector3> basis_of(LatticeKind kind);

/// InputError for directions that are zero, not at right angles to each other or left-handed, or
/// have indices larger than 100 in magnitude.
void check_orientation(const std::array<std::array<int, 3>, 3>& orientation);

/// Generates the atoms of a crystal.
class Lattice {
 public:
  /// InputError for impossible options.
  explicit Lattice(const LatticeOptions& options);

  Index atoms() const;
  const Box& box() const { return box_; }
  /// Edge of the conventional cell along x.
  double constant() const { return constant_; }
  /// Atoms [range.first, range.last) at rest: types, positions, image flags (all 0). Cells are
  /// ordered with x fastest, then y, then z; atoms within a cell are in the order of the basis.
  AtomColumns atoms_in(IndexRange range) const;

 private:
  struct Site {
    Vector3 fraction;  ///< position in units of the edges of the oriented cell, in [0, 1)
    std::int32_t type;
  };
  static std::vector<Site> sites_of(const LatticeOptions& options,
                                    const std::array<double, 3>& periods);

  std::array<Index, 3> cells_;
  std::vector<Site> sites_;
  double constant_;
  Box box_;
};

}  // namespace gsim::md
