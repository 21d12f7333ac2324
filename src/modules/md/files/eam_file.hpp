#pragma once
// Tables of embedded-atom potentials (Daw and Baskes, Phys. Rev. B 29, 6443 (1984)) from the three
// common file formats, in eV and angstrom.

#include <span>
#include <string>
#include <string_view>

#include "gsim/md/many_body/eam_kind.hpp"

namespace gsim::md {

enum class EamFormat { funcfl, alloy, fs };

/// The names of the formats in a configuration, in the order of EamFormat: funcfl, eam.alloy
/// (setfl), eam.fs.
std::span<const std::string_view> eam_format_names();

/// Reads the text of `file`. In funcfl files r phi = 27.2 * 0.529 Z(r)^2: these rounded values of
/// hartree and bohr, not those of CODATA, are the convention for such files. InputError with file
/// and line for malformed files and for a cutoff beyond the end of the tables.
EamFile read_eam(EamFormat format, std::string_view text, const std::string& file);

}  // namespace gsim::md
