#pragma once
// [coulomb] with method = "ewald": the accuracy or the parameters, and the parameters that follow
// for a given system.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/long_range/ewald.hpp"

namespace gsim::md {

struct EwaldConfig {
  double accuracy = 1e-5;
  double alpha = 0;          ///< 0: by the accuracy
  double k_cutoff = 0;       ///< largest |k|; 0: by the accuracy
  std::vector<Index> k_max;  ///< three, in place of k_cutoff; or empty
};

/// Reads accuracy, alpha, k_cutoff and k_max, but not the cutoff of the pairs.
void describe_ewald(Section& section, EwaldConfig& config);

/// Parameters for a system, and the root mean square errors of an atom's force (its vector, in
/// force units) that they leave, as estimated for charges at random places.
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

/// A warning where charges (in `unit`) do not cancel; else empty.
std::string charge_warning(const ChargeSums& charges, std::string_view unit);

/// Estimated errors as in EwaldChoice: of leaving out pairs beyond `cutoff`, and k-vectors
/// beyond `k_cutoff`.
double ewald_pair_error(const Box& box, const ChargeSums& charges, double coulomb, double alpha,
                        double cutoff);
double ewald_reciprocal_error(const Box& box, const ChargeSums& charges, double coulomb,
                              double alpha, double k_cutoff);

}  // namespace gsim::md
