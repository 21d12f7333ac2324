#include "src/modules/md/structures/lattice.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "src/modules/md/cube_root.hpp"

namespace gsim::md {
namespace {

using Direction = std::array<int, 3>;

int dot(const Direction& a, const Direction& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double dot(const Direction& a, const Vector3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
long determinant(const std::array<Direction, 3>& d) {
  long sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += static_cast<long>(d[0][i]) * (d[1][j] * d[2][k] - d[1][k] * d[2][j]);
  }
  return sum;
}
std::string text(const Direction& d) { return fmt::format("[{} {} {}]", d[0], d[1], d[2]); }

/// The direction without common factors: its Miller indices.
Direction reduced(Direction d) {
  int divisor = 0;
  for (const int x : d)
    for (int a = std::abs(x), b = divisor;;) {
      if (b == 0) {
        divisor = a;
        break;
      }
      const int remainder = a % b;
      a = b;
      b = remainder;
    }
  if (divisor > 1)
    for (int& x : d) x /= divisor;
  return d;
}

void validate(const LatticeOptions& o) {
  GSIM_VALIDATE(o.constant != 0 || o.density != 0,
                "the lattice has neither `constant` nor `density`",
                "give one of the two: the edge of its cell, or atoms per volume");
  GSIM_VALIDATE(
      (o.constant > 0) != (o.density > 0) && o.constant >= 0 && o.density >= 0 &&
          std::isfinite(o.constant) && std::isfinite(o.density),
      fmt::format("a lattice has the constant {} and the density {}", o.constant, o.density),
      "give one of the two, a positive number");
  for (const Index n : o.cells)
    GSIM_VALIDATE(n >= 1 && n < (Index{1} << 31),
                  fmt::format("a lattice has {} cells along an axis", n), "give 1 or more");
  for (const double ratio : o.ratios)
    GSIM_VALIDATE(ratio > 0 && std::isfinite(ratio),
                  fmt::format("an edge of the cell is {} times the one along x", ratio),
                  "give positive numbers");
  check_orientation(o.orientation);
}

/// The atoms of the conventional cell. InputError for contradictory options of custom cells.
std::vector<Vector3> basis_of(const LatticeOptions& o) {
  const bool custom = o.kind == LatticeKind::custom;
  const bool cubic = o.ratios == Vector3{1, 1, 1};
  const bool unrotated = o.orientation == LatticeOptions{}.orientation;
  GSIM_VALIDATE(custom || o.basis.empty(),
                "a basis is given for a lattice whose kind determines it",
                "leave it out, or make the lattice \"custom\"");
  GSIM_VALIDATE(custom || cubic, "ratios are given for a cubic lattice",
                "leave them out, or make the lattice \"custom\"");
  GSIM_VALIDATE(cubic || unrotated, "a cell that is not cubic has an orientation",
                "only cubic cells can be oriented; describe the oriented cell by its basis");
  GSIM_VALIDATE(!custom || !o.basis.empty(), "a custom lattice has no basis",
                "give the atoms of its cell");
  for (const Vector3& site : o.basis)
    for (const double x : site)
      GSIM_VALIDATE(x >= 0 && x < 1, fmt::format("an atom of the basis is at {}", x),
                    "give fractions of the cell's edges, 0 or more and below 1");
  auto basis = custom ? o.basis : basis_of(o.kind);
  GSIM_VALIDATE(
      o.basis_types.empty() || o.basis_types.size() == basis.size(),
      fmt::format("{} types for the {} atoms of the basis", o.basis_types.size(), basis.size()),
      "give one type for each");
  return basis;
}

/// Whether half of direction d is a lattice vector. The oriented cell is then half as long.
bool repeats_at_half(const LatticeOptions& o, const Direction& d) {
  for (std::size_t i = 1; i < o.basis_types.size(); ++i)
    if (o.basis_types[i] != o.basis_types[0]) return false;
  const bool odd[3] = {d[0] % 2 != 0, d[1] % 2 != 0, d[2] % 2 != 0};
  const int odd_count = odd[0] + odd[1] + odd[2];
  switch (o.kind) {
    case LatticeKind::fcc:
    case LatticeKind::diamond:
      return odd_count == 2;  // (1/2, 1/2, 0)
    case LatticeKind::bcc:
      return odd_count == 3;  // (1/2, 1/2, 1/2)
    default:
      return false;
  }
}

/// The length of the oriented cell along each axis, in units of the edge of the conventional cell
/// along x.
std::array<double, 3> periods_of(const LatticeOptions& o) {
  std::array<double, 3> periods{};
  for (std::size_t a = 0; a < 3; ++a) {
    const Direction d = reduced(o.orientation[a]);
    const double length = std::sqrt(static_cast<double>(dot(d, d)));
    periods[a] = o.ratios[a] * (repeats_at_half(o, d) ? 0.5 * length : length);
  }
  return periods;
}

double constant_of(const LatticeOptions& o) {
  if (o.constant > 0) return o.constant;
  const double volume = o.ratios[0] * o.ratios[1] * o.ratios[2];
  return cube_root(static_cast<double>(basis_of(o).size()) / (o.density * volume));
}

Box box_of(const LatticeOptions& o, double constant) {
  const auto periods = periods_of(o);
  Vector3 lengths{};
  for (std::size_t a = 0; a < 3; ++a)
    lengths[a] = static_cast<double>(o.cells[a]) * (periods[a] * constant);
  return Box(o.origin, lengths, {}, o.boundaries);
}

}  // namespace

void check_orientation(const std::array<std::array<int, 3>, 3>& orientation) {
  for (std::size_t a = 0; a < 3; ++a) {
    const Direction &d = orientation[a], &e = orientation[(a + 1) % 3];
    for (const int x : d)
      GSIM_VALIDATE(std::abs(x) <= 100, "the orientation " + text(d) + " has too large indices",
                    "give integers up to 100");
    GSIM_VALIDATE(dot(d, d) > 0, "an orientation is [0 0 0]", "give a direction");
    GSIM_VALIDATE(dot(d, e) == 0,
                  "orientations " + text(d) + " and " + text(e) + " are not at right angles",
                  "choose directions whose products x1 x2 + y1 y2 + z1 z2 are 0");
  }
  GSIM_VALIDATE(determinant(orientation) > 0, "the orientations are left-handed",
                "reverse one of them");
}

std::span<const std::string_view> lattice_names() {
  static constexpr std::array<std::string_view, 5> words{"sc", "bcc", "fcc", "diamond", "custom"};
  return words;
}

std::vector<Vector3> basis_of(LatticeKind kind) {
  switch (kind) {
    case LatticeKind::sc:
      return {{0, 0, 0}};
    case LatticeKind::bcc:
      return {{0, 0, 0}, {0.5, 0.5, 0.5}};
    case LatticeKind::fcc:
      return {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    case LatticeKind::diamond:
      return {{0, 0, 0},          {0.5, 0.5, 0},      {0.5, 0, 0.5},      {0, 0.5, 0.5},
              {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};
    case LatticeKind::custom:
      return {};
  }
  throw Error("internal error: unknown lattice");
}

Lattice::Lattice(const LatticeOptions& options)
    : cells_(options.cells),
      sites_((validate(options), sites_of(options, periods_of(options)))),
      constant_(constant_of(options)),
      box_(box_of(options, constant_)) {
  const double atom_count = static_cast<double>(cells_[0]) * static_cast<double>(cells_[1]) *
                            static_cast<double>(cells_[2]) * static_cast<double>(sites_.size());
  GSIM_VALIDATE(atom_count < 0x1p62,
                fmt::format("the lattice has {:.3g} atoms, which are too many", atom_count),
                "give fewer cells");
}

/// Every atom of the crystal in the oriented cell. The integer parts of coordinates are exact;
/// atoms within 1e-9 of a face belong to one of the two adjacent cells, so none is missing or
/// counted twice.
std::vector<Lattice::Site> Lattice::sites_of(const LatticeOptions& options,
                                             const std::array<double, 3>& periods) {
  constexpr double tolerance = 1e-9;
  const auto basis = basis_of(options);
  std::array<Direction, 3> d;
  double scale[3];  // s_a = (r . d_a) scale_a for a point r in edges of the conventional cell
  int reach = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    d[a] = reduced(options.orientation[a]);
    const double length = std::sqrt(static_cast<double>(dot(d[a], d[a])));
    scale[a] = options.ratios[a] / (length * periods[a]);
    for (const int x : d[a]) reach += std::abs(x);
  }
  std::vector<Site> sites;
  for (int z = -reach; z <= reach; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        for (std::size_t b = 0; b < basis.size(); ++b) {
          Site site{{}, options.basis_types.empty() ? 0 : options.basis_types[b]};
          bool inside = true;
          for (std::size_t a = 0; a < 3 && inside; ++a) {
            const double s = (dot(d[a], Direction{x, y, z}) + dot(d[a], basis[b])) * scale[a];
            inside = s >= -tolerance && s < 1 - tolerance;
            site.fraction[a] = std::abs(s) <= tolerance ? 0 : s;
          }
          if (inside) sites.push_back(site);
        }
  double cells = 1;  // volume of the oriented cell, in conventional cells
  for (std::size_t a = 0; a < 3; ++a) cells *= periods[a] / options.ratios[a];
  if (std::abs(static_cast<double>(sites.size()) - cells * static_cast<double>(basis.size())) > 0.1)
    throw Error(fmt::format("internal error: an oriented cell has {} atoms", sites.size()));
  for (Site& site : sites)
    for (std::size_t a = 0; a < 3; ++a) site.fraction[a] += dot(d[a], options.shift) * scale[a];
  return sites;
}

Index Lattice::atoms() const {
  return cells_[0] * cells_[1] * cells_[2] * static_cast<Index>(sites_.size());
}

AtomColumns Lattice::atoms_in(IndexRange range) const {
  AtomColumns atoms;
  const auto n = static_cast<std::size_t>(range.size());
  atoms.type.reserve(n);
  atoms.position.reserve(n);
  atoms.image.assign(n, ImageCount{});
  const auto per_cell = static_cast<Index>(sites_.size());
  for (Index i = range.first; i < range.last; ++i) {
    const Index cell = i / per_cell;
    const Site& site = sites_[static_cast<std::size_t>(i % per_cell)];
    const Index at[3] = {cell % cells_[0], cell / cells_[0] % cells_[1],
                         cell / (cells_[0] * cells_[1])};
    Vector3 point{};
    for (std::size_t a = 0; a < 3; ++a) {
      const double fraction =
          (static_cast<double>(at[a]) + site.fraction[a]) / static_cast<double>(cells_[a]);
      point[a] = box_.origin()[a] + fraction * box_.lengths()[a];
    }
    ImageCount wrapped;  // not used: atoms that are shifted out of the box start with image flags 0
    atoms.position.push_back(box_.to_fixed(point, wrapped));
    atoms.type.push_back(site.type);
  }
  return atoms;
}

}  // namespace gsim::md
