#pragma once
// The potentials between atoms of all pairs of types.

#include <optional>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"
#include "src/modules/md/pair_potentials/pair_function.hpp"

namespace gsim::md {

/// The rules by which Lennard-Jones parameters of two types give those of the pair.
/// lorentz_berthelot: sigma the arithmetic, epsilon the geometric mean (Lorentz, Ann. Phys. 248
/// (1881) 127; Berthelot, C. R. Acad. Sci. 126 (1898) 1703). geometric: both geometric means.
/// waldman_hagler: sigma^6 = (a^6 + b^6) / 2, epsilon = 2 sqrt(epsilon_a epsilon_b) a^3 b^3 /
/// (a^6 + b^6) (Waldman and Hagler, J. Comput. Chem. 14 (1993) 1077); also called sixth power.
enum class MixingRule { none, lorentz_berthelot, geometric, waldman_hagler };

/// The distance at which Lennard-Jones has its minimum, in sigma: 2^(1/6).
inline constexpr double lennard_jones_minimum = 1.12246204830937298143;

/// The pair potential of Weeks, Chandler and Andersen (J. Chem. Phys. 54 (1971) 5237):
/// Lennard-Jones up to its minimum, shifted to zero there.
PairPotential wca(double epsilon, double sigma);
PairPotential lennard_jones(double epsilon, double sigma, double cutoff,
                            Smoothing smoothing = Smoothing::cut, double inner = 0);

class PairTable {
 public:
  explicit PairTable(std::vector<std::string> type_names);

  int types() const { return static_cast<int>(names_.size()); }
  const std::vector<std::string>& names() const { return names_; }

  /// Adds a potential between types a and b (and b and a) to those that act there already.
  void add(int a, int b, PairPotential potential);
  /// Declares that no potential acts between types a and b; their charges may interact all the
  /// same.
  void declare_empty(int a, int b);
  /// Adds a potential that is multiplied by the product of the charges, for all types.
  void add_charged(PairPotential potential);

  /// Gives pairs of types without a potential the mixed one, where the atoms of each type interact
  /// among themselves by one Lennard-Jones potential and no other. The larger of two cutoffs is
  /// used; two WCA potentials give a WCA potential. InputError where both have different smoothing.
  void mix(MixingRule rule);
  /// The first pair of types, a <= b, without a potential that was not declared to have none
  /// (potentials between charges do not count).
  std::optional<std::pair<int, int>> without_potential() const;

  const std::vector<PairPotential>& between(int a, int b) const { return pairs_[index(a, b)]; }
  const std::vector<PairPotential>& charged() const { return charged_; }
  /// The largest cutoff.
  double cutoff() const;

 private:
  std::size_t index(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(types()) +
           static_cast<std::size_t>(b);
  }
  bool is_declared_empty(int a, int b) const { return declared_empty_[index(a, b)]; }
  std::vector<PairPotential>& at(int a, int b) { return pairs_[index(a, b)]; }
  std::vector<std::string> names_;
  std::vector<std::vector<PairPotential>> pairs_;  // types x types
  std::vector<bool> declared_empty_;               // types x types
  std::vector<PairPotential> charged_;
};

/// The long-range correction beyond the cutoffs for a homogeneous fluid: energy, and pressure times
/// volume, of `counts` atoms of the types in `volume`.
struct TailCorrection {
  double energy = 0, pressure_volume = 0;
};
/// InputError for potentials without such a correction: shifted, charged or tabulated ones.
class TailFunction {
 public:
  explicit TailFunction(const PairTable& table);
  TailCorrection at(const std::vector<Index>& counts, double volume) const;
  /// The integrals of -u' r^3, types x types.
  const std::vector<double>& pressure_integrals() const { return pressure_; }

 private:
  std::vector<double> energy_, pressure_;  // types x types: integrals of u r^2 and -u' r^3
};

}  // namespace gsim::md
