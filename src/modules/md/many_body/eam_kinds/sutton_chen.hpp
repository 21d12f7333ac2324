#pragma once
// Sutton and Chen's potential for fcc metals (Phil. Mag. Lett. 61, 139 (1990)), as tables of an
// embedded-atom potential: U = epsilon (1/2 sum (a/r)^n - c sum sqrt(sum (a/r)^m)).

#include "gsim/md/many_body/eam_kind.hpp"

namespace gsim::md {

/// The default is copper (table 1 of the paper).
struct SuttonChen {
  double epsilon = 1.2382e-2;  ///< eV
  double a = 3.61;             ///< angstrom, the fcc lattice constant
  double c = 39.432;
  double n = 9, m = 6;
  /// Cutoff radius; 0: 2 a. The powers, which have no cutoff in the paper, are multiplied by 1 -
  /// x^3 (10 - 15 x + 6 x^2), x = (r - start) / (cutoff - start), from start = 0.9 cutoff on: zero
  /// at the cutoff with two continuous derivatives.
  double cutoff = 0;
  double mass = 63.546;  ///< g/mol
};

/// Tables of 5000 distances from 0 to the cutoff and two beyond it, constant below 0.3 a, and of
/// 20000 densities up to 16 times that of the crystal. (The slope of sqrt is infinite at 0: the
/// tables do not describe atoms at densities below 1 % of the crystal's.) InputError unless
/// epsilon, a, c, m, mass > 0, n > m, cutoff > a.
EamFile tabulate(const SuttonChen& potential);

}  // namespace gsim::md
