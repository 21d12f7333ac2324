#pragma once
// Mean-square displacements of atoms, by type and axis, and diffusion coefficients from their
// slope.
//
//     MSD(t) = < |r_i(t0 + t) - r_i(t0) - (R(t0 + t) - R(t0))|^2 >
// over atoms i of a type and time origins t0; R is the centre of mass of all atoms, whose drift is
// subtracted. Displacements are differences of unwrapped fractional coordinates times the current
// box vectors, so that the deformation of the box by a barostat is not counted as diffusion.
// D follows from Einstein's relation D = d MSD / dt / 6 (D. Frenkel and B. Smit, Understanding
// Molecular Simulation, 2nd ed. (2002), Eq. 4.4.9), with the least-squares slope over the second
// half of the lags of a window. Each window gives one value of D, so that its error includes the
// correlation of lags.

#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "src/modules/md/correlations/time_correlation.hpp"

namespace gsim::md {

struct DisplacementConfig {
  OriginPlan plan{.lags = 10, .levels = 4, .origins = 1};
  std::vector<std::string> types;  ///< empty: all
};

class MeanSquareDisplacement : public TimeCorrelation {
 public:
  /// Adds columns to `particles`: 36 bytes per atom for each slot of the plan.
  MeanSquareDisplacement(std::string name, const SampleSteps& steps,
                         const DisplacementConfig& config, const ObserverSetup& setup,
                         Particles& particles);

  /// The diffusion coefficient of each type, from the longest windows of which at least four are
  /// complete.
  std::vector<Estimate> estimates() const override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  /// A squared displacement along one Cartesian axis, or their sum.
  enum class Part { x, y, z, all };
  /// The mean-square displacement of a reported group at lag `lag` of a level, and the diffusion
  /// coefficient from the windows of a level. `group`: index into reported_groups().
  BlockedMean displacement(Index group, Index level, Index lag, Part part = Part::all) const;
  BlockedMean diffusion(Index group, Index level, Part part = Part::all) const;

 private:
  void measure(const Snapshot& snapshot, std::span<const TimeOrigins::Visit> measured,
               Sums& sums) override;
  void record(const TimeOrigins::Visit& visit, const Sums& sums, std::size_t row) override;
  void complete(Index slot, Index level) override;
  void save_averages(DatasetWriter& writer) const override;
  void restore_averages(DatasetReader& reader) override;
  /// The index in averages_ of the MSD of a group at `lag`, and of D at one lag more than the last.
  Index series(Index group, Index lag) const {
    return group * (origins().plan().lags + 1) + lag - 1;
  }
  void write_displacements(DatasetWriter& writer) const;
  void write_diffusion(DatasetWriter& writer) const;

  // By level: for each reported group the MSD along x, y, z by lag, then D.
  std::vector<Blocking> averages_;
};

}  // namespace gsim::md
