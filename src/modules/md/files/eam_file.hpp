#pragma once
// Tables of embedded-atom potentials (Daw and Baskes, Phys. Rev. B 29, 6443 (1984)) from the three
// kinds of files in use, in eV and angstrom.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

struct EamElement {
  std::string name;  ///< empty in funcfl files, which give the atomic number alone
  Index atomic_number = 0;
  double mass = 0;                ///< g/mol
  double lattice_constant = 0;    ///< angstrom
  std::string lattice;            ///< "fcc"
  std::vector<double> embedding;  ///< F at density 0, rho_step, 2 rho_step, …, in eV
  /// Density that an atom of this element contributes at one of element b, at distances 0, r_step,
  /// …: density[b]; one entry where it is the same for all b.
  std::vector<std::vector<double>> density;
};

struct EamFile {
  double rho_step = 0, r_step = 0, cutoff = 0;
  std::vector<EamElement> elements;
  /// r phi(r) in eV angstrom of elements i >= j, at i (i + 1) / 2 + j, at distances 0, r_step, …
  std::vector<std::vector<double>> r_phi;

  const std::vector<double>& density(std::size_t of, std::size_t at) const {
    const auto& tables = elements[of].density;
    return tables[tables.size() == 1 ? 0 : at];
  }
  const std::vector<double>& pair(std::size_t i, std::size_t j) const {
    return i >= j ? r_phi[i * (i + 1) / 2 + j] : r_phi[j * (j + 1) / 2 + i];
  }
};

enum class EamFormat { funcfl, alloy, fs };

/// Words of a configuration, in the order of EamFormat: funcfl, eam.alloy (setfl), eam.fs.
std::span<const std::string_view> eam_format_words();

/// Reads the text of `file`. In funcfl files r phi = 27.2 * 0.529 Z(r)^2, the conversion for which
/// such files are made (not CODATA's hartree and bohr). InputError with file and line for malformed
/// files and for a cutoff beyond the end of the tables.
EamFile read_eam(EamFormat format, std::string_view text, const std::string& file);

}  // namespace gsim::md
