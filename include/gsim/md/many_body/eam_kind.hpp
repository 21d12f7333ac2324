#pragma once
// Embedded-atom potentials (Daw and Baskes, Phys. Rev. B 29, 6443 (1984)) as tables, in eV and
// angstrom. A kind of potential describes its keys and makes the tables from their values, or from
// the files that they name; the same kernels compute all potentials. A kind is registered by
//
//   registry.extend(gsim::md::EamKind{"my_name", "…", describe_mine, example});
//
// and configurations select it by the key `format` of [eam]. The kinds of gsim itself are in
// src/modules/md/many_body/eam_kinds, one source each, which the build finds.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {
class Section;
}

namespace gsim::md {

struct EamElement {
  std::string name;  ///< empty for funcfl files, which contain only the atomic number
  Index atomic_number = 0;
  double mass = 0;                ///< g/mol
  double lattice_constant = 0;    ///< angstrom
  std::string lattice;            ///< "fcc"
  std::vector<double> embedding;  ///< F at density 0, rho_step, 2 rho_step, …, in eV
  /// density[b]: the electron density of an atom of this element at an atom of element b, at
  /// distances 0, r_step, …; a single entry if it is the same for all b.
  std::vector<std::vector<double>> density;
};

/// The tables of a potential, as in files.
struct EamFile {
  double rho_step = 0, r_step = 0, cutoff = 0;
  std::vector<EamElement> elements;
  /// r phi(r) in eV angstrom of elements i >= j, at i (i + 1) / 2 + j, at distances 0, r_step, …
  std::vector<std::vector<double>> r_phi;

  /// The electron density of an atom of element `of` at an atom of element `at`.
  const std::vector<double>& density(std::size_t of, std::size_t at) const {
    const auto& tables = elements[of].density;
    return tables[tables.size() == 1 ? 0 : at];
  }
  /// r phi(r) of elements i and j.
  const std::vector<double>& pair(std::size_t i, std::size_t j) const {
    return i >= j ? r_phi[i * (i + 1) / 2 + j] : r_phi[j * (j + 1) / 2 + i];
  }
};

/// A potential, and the elements of the atom types of a run.
struct EamChoice {
  EamFile potential;
  std::vector<std::size_t> elements;  ///< index in `potential` of the element of each type
  bool has_elements = false;          ///< whether the configuration names the element of each type
  std::string summary;                ///< "eam.alloy NiAl.eam.alloy: Ni, Al"
};

/// Validates the values that were read, loads the files that they name, and makes the potential for
/// atom types of these names. Units are eV and angstrom. Errors name a key: section.fail("key", …).
using MakeEam =
    std::function<EamChoice(const Section& section, const std::vector<std::string>& types)>;

struct EamKind {
  static constexpr char extends[] = "embedded-atom potential", module[] = "md";
  std::string_view name, doc;
  /// Describes the keys of [eam] besides `format`; also runs without values, to print the schema.
  /// Returns the function that makes the potential, which is called only after a configuration
  /// was read.
  MakeEam (*describe)(Section& section) = nullptr;
  /// A complete configuration of module md with this part that runs within seconds.
  std::string_view example = {};

  /// The members that are missing, for messages (Registry::Extension); null: none.
  const char* missing() const { return describe != nullptr ? nullptr : "describe"; }
};

}  // namespace gsim::md
