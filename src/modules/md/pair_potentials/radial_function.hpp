#pragma once
// Pair potentials given by numbers: energies and forces at some distances, from a file, made into
// the polynomials that kernels/md/pair_potentials/radial_table.hpp evaluates.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::md {

/// How a potential ends at its cutoff. cut: it jumps; shift: energies are shifted to zero there;
/// force_shift: forces too; xplor: it is multiplied by a function that falls from 1 to 0.
enum class Smoothing { cut, shift, force_shift, xplor };

/// Energies u and forces -du/dr at rising distances r.
struct RadialSamples {
  std::vector<double> r, energy, force;
  std::vector<Index> line;  ///< of the file, by row
  /// Between the samples: the cubic polynomial with their energies and slopes (Hermite), and its
  /// derivative. r is within the samples.
  void at(double r, double& energy, double& force) const;
};

/// Reads three columns r, u, -du/dr, or the section `name` of a file in the format of LAMMPS's
/// pair_style table (the only one where `name` is empty). `file` names it in messages. InputError
/// with the line where it is not such a file, and where the forces are not the slope of the
/// energies. A last row of energy 0 and force 0 that the rows before it do not lead to, as LAMMPS's
/// pair_write makes it, only says where the potential ends: they are continued to it.
RadialSamples read_radial_samples(std::string_view text, const std::string& file,
                                  std::string_view name);

/// Polynomials on intervals of x = r^2 of equal width: four coefficients each.
struct RadialFunction {
  double first = 0, step = 0;  ///< of x
  std::vector<double> coefficients;
  double intervals() const {
    const std::size_t whole = coefficients.size() / 4;
    return static_cast<double>(whole);
  }
};

/// The samples up to `cutoff`, which ends with force_shift or xplor (from `inner` on) as told;
/// `shift` is left to others. The grid is at least twice as fine as the samples.
RadialFunction make_radial_function(const RadialSamples& samples, double cutoff,
                                    Smoothing smoothing, double inner);

}  // namespace gsim::md
