#pragma once
// Velocity autocorrelation functions of atoms by type, and diffusion coefficients from their
// integrals.
//
//     C(t) = < w_i(t0) . w_i(t0 + t) >,      D(t) = (1/3) integral of C from 0 to t
// over atoms i of a type and time origins t0, w being the velocities relative to the centre of mass
// of all atoms (M. S. Green, J. Chem. Phys. 22 (1954) 398; R. Kubo, J. Phys. Soc. Japan 12 (1957)
// 570; D. Frenkel and B. Smit, Understanding Molecular Simulation, 2nd ed. (2002), Eq. 4.4.10). The
// integral is computed for each window separately by the trapezoidal rule, so that its error
// includes the correlation of lags.

#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "src/modules/md/correlations/time_correlation.hpp"

namespace gsim::md {

struct VelocityAutocorrelationConfig {
  Index lags = 100;                ///< length of a window, in samples
  Index origins = 5;               ///< number of overlapping windows; must divide lags
  std::vector<std::string> types;  ///< empty: all
};

class VelocityAutocorrelation : public TimeCorrelation {
 public:
  /// Adds columns to `particles`: 24 bytes per atom for each origin.
  VelocityAutocorrelation(std::string name, const SampleSteps& steps,
                          const VelocityAutocorrelationConfig& config, const ObserverSetup& setup,
                          Particles& particles);

  /// The diffusion coefficient of each type: the integral over the whole window.
  std::vector<Estimate> estimates() const override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  /// C and D at a lag of a reported group (index into reported_groups()).
  BlockedMean correlation(Index group, Index lag) const;
  BlockedMean diffusion(Index group, Index lag) const;
  double time(Index lag) const { return TimeCorrelation::time(0, lag); }

 private:
  void measure(const Snapshot& snapshot, std::span<const TimeOrigins::Visit> measured,
               Sums& sums) override;
  void record(const TimeOrigins::Visit& visit, const Sums& sums, std::size_t row) override;
  void complete(Index slot, Index level) override;
  void begin_window(Index slot, const Sums& sums) override;
  void save_averages(DatasetWriter& writer) const override;
  void restore_averages(DatasetReader& reader) override;
  /// The sums of velocities by type and axis in this sample, and at the time origin of a slot.
  std::vector<double> velocity_sums(const Sums& sums) const;
  std::span<double> old_sums(Index slot);
  /// The index in averages_ of C of a group at `lag`; D follows it.
  Index series(Index group, Index lag) const {
    return 2 * (group * (origins().plan().lags + 1) + lag);
  }

  std::vector<double> old_sums_;  // sums of velocities at time origins, by slot, type and axis
  Blocking averages_;             // C and D, by reported group and lag
};

}  // namespace gsim::md
