#pragma once
// Velocity autocorrelation functions of atoms by type, and diffusion coefficients by their
// integral.
//
//     C(t) = < w_i(t0) . w_i(t0 + t) >,      D(t) = (1/3) integral of C from 0 to t
// over atoms i of a type and time origins t0, w being velocities less that of the centre of mass of
// all atoms (M. S. Green, J. Chem. Phys. 22 (1954) 398; R. Kubo, J. Phys. Soc. Japan 12 (1957) 570;
// D. Frenkel and B. Smit, Understanding Molecular Simulation, 2nd ed. (2002), Eq. 4.4.10). The
// integral is by the trapezoidal rule for every window of its own, so its error holds all
// correlation among lags.

#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "src/modules/md/correlations/sample_steps.hpp"
#include "src/modules/md/correlations/time_origins.hpp"
#include "src/modules/md/observers/observer.hpp"
#include "src/modules/md/sampling/type_groups.hpp"

namespace gsim::md {

struct VelocityAutocorrelationConfig {
  Index lags = 100;                ///< samples of a window
  Index origins = 5;               ///< windows under way at a time; divides lags
  std::vector<std::string> types;  ///< empty: all
};

class VelocityAutocorrelation : public Observer {
 public:
  /// Adds columns to `particles`, 24 bytes an atom for each origin.
  VelocityAutocorrelation(std::string name, const SampleSteps& steps,
                          const VelocityAutocorrelationConfig& config, const ObserverSetup& setup,
                          Particles& particles);

  Index next(Index step) const override { return steps_.next(step); }
  void observe(const Snapshot& snapshot) override;
  /// The diffusion coefficient of each type: the integral over the whole window.
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  const std::vector<TypeGroups::Report>& reports() const { return reports_; }
  BlockedMean correlation(Index report, Index lag) const;
  BlockedMean diffusion(Index report, Index lag) const;
  double time(Index lag) const {
    return static_cast<double>(lag * steps_.every) * setup_.time_step;
  }

 private:
  struct Sums;
  void measure(const Snapshot& snapshot, const std::vector<TimeOrigins::Visit>& looks, Sums& sums);
  void record(Index slot, Index lag, const Sums& sums, std::size_t product,
              const double* old_velocity);
  void complete(Index slot);
  Index series(Index report, Index lag) const {
    return 2 * (report * (origins_.plan().lags + 1) + lag);
  }
  std::vector<double> velocity_sums(const Sums& sums) const;

  std::string name_, path_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  Particles& particles_;
  std::vector<TypeGroups::Report> reports_;
  TimeOrigins origins_;
  std::vector<ColumnId> velocity_;  // at the time origin, by slot
  std::vector<double> old_sums_;    // likewise summed over atoms: by slot, type and axis
  Index samples_ = 0;
  Blocking averages_;  // correlation and diffusion coefficient, by report and lag
};

}  // namespace gsim::md
