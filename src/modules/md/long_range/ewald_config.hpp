#pragma once
// [coulomb] with method = "ewald": how accurate, or with which parameters; and what follows from
// that for a given system.

#include <string>
#include <string_view>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/md/long_range/ewald.hpp"

namespace gsim::md {

struct EwaldConfig {
  double accuracy = 1e-5;
  double alpha = 0;          ///< 0: by the accuracy
  double k_cutoff = 0;       ///< wave number; 0: by the accuracy
  std::vector<Index> k_max;  ///< three, in place of k_cutoff; or empty
};

/// Reads accuracy, alpha, k_cutoff and k_max. The cutoff of the pairs is not its business.
void describe_ewald(Section& section, EwaldConfig& config);

/// Parameters for a system, and the root mean square errors of an atom's force (its vector, in
/// force units) that they leave, as estimated for charges at random places.
struct EwaldChoice {
  EwaldParameters parameters;
  double pair_error = 0, wave_error = 0;
};

/// `coulomb`: Units::coulomb. InputError for what Ewald refuses, and an accuracy that cannot be
/// had.
EwaldChoice choose_ewald(const EwaldConfig& config, const Box& box, double cutoff,
                         const ChargeSums& charges, double coulomb);

/// What people should know: parameters and estimated errors.
std::vector<std::string> ewald_notes(const EwaldChoice& choice);

/// What they should be warned of where charges (in `unit`) do not cancel; else empty.
std::string charge_warning(const ChargeSums& charges, std::string_view unit);

/// Estimated errors as in EwaldChoice: for pairs beyond `cutoff` left out, and for waves beyond
/// wave number `k_cutoff` left out.
double ewald_pair_error(const Box& box, const ChargeSums& charges, double coulomb, double alpha,
                        double cutoff);
double ewald_wave_error(const Box& box, const ChargeSums& charges, double coulomb, double alpha,
                        double k_cutoff);

}  // namespace gsim::md
