#pragma once
// Mean-square displacements of atoms, by type and axis, and diffusion coefficients from their
// slope.
//
//     MSD(t) = < |r_i(t0 + t) - r_i(t0) - (R(t0 + t) - R(t0))|^2 >
// over atoms i of a type and time origins t0, with R the centre of mass of all atoms: its drift is
// no diffusion. Displacements are whole numbers of the box's integers, boundary crossings included,
// times the present box vectors: where a barostat moves the box, atoms that move with it are at
// rest. Einstein's relation D = d MSD / dt / 6 (D. Frenkel and B. Smit, Understanding Molecular
// Simulation, 2nd ed. (2002), Eq. 4.4.9), with the least-squares slope over the second half of a
// window's lags: one such D for every window, so its error holds all correlation among lags.

#include <string>
#include <vector>

#include "gsim/engine/blocking.hpp"
#include "src/modules/md/correlations/sample_steps.hpp"
#include "src/modules/md/correlations/time_origins.hpp"
#include "src/modules/md/observers/observer.hpp"
#include "src/modules/md/sampling/type_groups.hpp"

namespace gsim::md {

struct DisplacementConfig {
  OriginPlan plan{.lags = 10, .levels = 4, .origins = 1};
  std::vector<std::string> types;  ///< empty: all
};

class MeanSquareDisplacement : public Observer {
 public:
  /// Adds columns to `particles`, 36 bytes an atom for each of the plan's slots.
  MeanSquareDisplacement(std::string name, const SampleSteps& steps,
                         const DisplacementConfig& config, const ObserverSetup& setup,
                         Particles& particles);

  Index next(Index step) const override { return steps_.next(step); }
  void observe(const Snapshot& snapshot) override;
  /// The diffusion coefficient of each type, from the longest windows of which there are four.
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

  const std::vector<TypeGroups::Report>& reports() const { return reports_; }
  /// Which part of a squared displacement: all of it, or along one Cartesian axis.
  enum class Part { x, y, z, all };
  /// MSD of a report at `lag` looks of a level; D from windows of a level.
  BlockedMean displacement(Index report, Index level, Index lag, Part part = Part::all) const;
  BlockedMean diffusion(Index report, Index level, Part part = Part::all) const;
  /// Time of `lag` looks of a level.
  double time(Index level, Index lag) const;

 private:
  struct Sums;
  void measure(const Snapshot& snapshot, const TimeOrigins::Visit& visit, Sums& sums);
  void record(const TimeOrigins::Visit& visit, const Sums& sums, Index which);
  void complete(Index slot, Index level);
  Index series(Index report, Index lag) const {
    return report * (origins_.plan().lags + 1) + lag - 1;
  }
  void write_displacements(DatasetWriter& writer) const;
  void write_diffusion(DatasetWriter& writer) const;

  std::string name_, path_;
  SampleSteps steps_;
  const ObserverSetup& setup_;
  Particles& particles_;
  std::vector<TypeGroups::Report> reports_;
  TimeOrigins origins_;
  std::vector<ColumnId> position_, image_;  // at the time origin, by slot
  Index samples_ = 0;
  std::vector<Blocking> averages_;  // by level: MSD along x, y, z by report and lag, then D
};

}  // namespace gsim::md
