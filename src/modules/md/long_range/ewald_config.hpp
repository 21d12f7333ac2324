#pragma once
// The configuration of [coulomb] with method = "ewald": an accuracy or parameters, and the choice
// of parameters for a given system.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/long_range/ewald.hpp"

namespace gsim::md {

struct EwaldConfig {
  /// Root mean square error of forces, relative to the force between two unit charges at unit
  /// distance.
  double accuracy = 1e-5;
  double alpha = 0;          ///< 0: chosen from the accuracy
  double k_cutoff = 0;       ///< largest |k|; 0: chosen from the accuracy
  std::vector<Index> k_max;  ///< three numbers, in place of k_cutoff; or empty
};

/// Describes accuracy, alpha, k_cutoff and k_max, but not the cutoff of the pairs.
void describe_ewald(Section& section, EwaldConfig& config);
/// ConfigError unless k_max is empty, or has three components and k_cutoff is not given.
void validate_ewald(const Section& section, const EwaldConfig& config);

/// The parameters for a system, and the root mean square errors of the force vector on an atom (in
/// force units), estimated for charges at random positions.
struct EwaldChoice {
  EwaldParameters parameters;
  double pair_error = 0, reciprocal_error = 0;
};

/// `coulomb`: Units::coulomb. InputError for systems that Ewald does not support, and for an
/// accuracy that cannot be reached.
EwaldChoice choose_ewald(const EwaldConfig& config, const Box& box, double cutoff,
                         const ChargeSums& charges, double coulomb);

/// Lines for the log: parameters and estimated errors.
std::vector<std::string> ewald_notes(const EwaldChoice& choice);

/// A warning if the charges (in `unit`) are not neutral; else empty.
std::string charge_warning(const ChargeSums& charges, std::string_view unit);

/// The estimated errors of EwaldChoice caused by omitting pairs beyond `cutoff`, and k-vectors
/// beyond `k_cutoff`.
double ewald_pair_error(const Box& box, const ChargeSums& charges, double coulomb, double alpha,
                        double cutoff);
double ewald_reciprocal_error(const Box& box, const ChargeSums& charges, double coulomb,
                              double alpha, double k_cutoff);

}  // namespace gsim::md
