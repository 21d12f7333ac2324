#pragma once
// Dihedrals: interactions U(phi) of four atoms i, j, k, l along a chain, as Fourier series in the
// angle phi, which is 0 for cis and 180 degrees for trans (IUPAC). A kind of dihedral describes its
// keys and makes the series from their values; one kernel computes all of them. It is registered by
//
//   registry.extend(gsim::md::DihedralKind{"my_name", "…", describe_mine, example});
//
// and configurations name it as the kind of [[bonded.dihedrals]]. The kinds of gsim itself are in
// src/modules/md/bonded/dihedrals, one source each, which the build finds.

#include <functional>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

/// The highest multiple of phi in a series.
inline constexpr int max_dihedral_order = 12;

/// U = sum over m of cosine[m] cos(m phi) + sine[m] sin(m phi): m = 0, 1, …; both of one size.
struct DihedralSeries {
  std::vector<double> cosine{0}, sine{0};
};

/// Adds k (1 + cos(n phi - phase)), phase in degrees. InputError unless 0 <= n <=
/// max_dihedral_order.
void add_periodic_term(DihedralSeries& to, double k, Index n, double phase);

/// Validates the values that were read and makes the series of them, with energies in the units of
/// the run. Errors name a key: section.fail("key", …).
using MakeDihedral = std::function<DihedralSeries(const Section& section)>;

struct DihedralKind {
  static constexpr char extends[] = "dihedral", module[] = "md";  // Registry::extend
  std::string_view name, doc;
  /// Describes the keys of a type of dihedral besides `name` and `kind`; also runs without values,
  /// to print the schema. Returns the function that makes the series, which is called only after
  /// a configuration was read.
  MakeDihedral (*describe)(Section& section) = nullptr;
  /// A complete configuration of module md with this part that runs within seconds.
  std::string_view example = {};

  /// The members that are missing, for messages (Registry::Extension); null: none.
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
