#pragma once
// Tabulated pair potentials: energies and forces at some distances, from a file, converted to the
// polynomials that kernels/md/pair_potentials/radial_table.hpp evaluates.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"
#include "gsim/md/pair_potentials/potential_kind.hpp"

namespace gsim::md {

/// Energies u and forces -du/dr at increasing distances r.
struct RadialSamples {
  std::vector<double> r, energy, force;
  std::vector<Index> line;  ///< line number of each row in the file
  /// Interpolates: the cubic polynomial with the energies and slopes of two rows (Hermite), and its
  /// derivative. r must be within the rows.
  void at(double r, double& energy, double& force) const;
};

/// Reads three columns r, u, -du/dr, or the section `name` of a file in the format of LAMMPS's
/// pair_style table; an empty `name` selects the section of a file that has only one. `file` is the
/// name of the file in messages.
/// InputError with the line for other contents, and where the forces are not minus the slope of the
/// energies. LAMMPS's pair_write ends with a row of energy 0 and force 0 at the cutoff: if the rows
/// before do not tend to 0, these two values are replaced by an extrapolation of the rows before.
RadialSamples read_radial_samples(std::string_view text, const std::string& file,
                                  std::string_view name);

/// Polynomials on intervals of x = r^2 of equal width: four coefficients each.
struct RadialFunction {
  double first = 0, step = 0;  ///< first value of x, and width of an interval
  std::vector<double> coefficients;
  double intervals() const {
    const std::size_t count = coefficients.size() / 4;
    return static_cast<double>(count);
  }
};

/// The samples up to `cutoff`, with force_shift or xplor (from `inner` on); `shift` is applied
/// elsewhere. The grid is at least twice as fine as the samples.
RadialFunction make_radial_function(const RadialSamples& samples, double cutoff,
                                    Smoothing smoothing, double inner);

}  // namespace gsim::md
