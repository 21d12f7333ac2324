#pragma once
// The heat equation in three dimensions, as a module of gsim.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gsim/domain/field.hpp>
#include <gsim/domain/field_boundary.hpp>
#include <gsim/domain/field_parts.hpp>
#include <gsim/domain/field_rows.hpp>
#include <gsim/domain/step_graphs.hpp>
#include <gsim/engine/field_series.hpp>
#include <gsim/engine/module.hpp>
#include <gsim/engine/series_table.hpp>

#include "heat_config.hpp"
#include "heat_step.hpp"
#include "modes.hpp"

namespace heat {

/// One unit of work is a time step.
class HeatModule : public gsim::Module {
 public:
  void describe(gsim::Section& top) override { config_.describe(top); }
  gsim::WorkPlan plan(const gsim::Context& context) override;
  void prepare() override;
  Index next_evaluation(Index) const override { return config_.steps; }
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override {}
  std::vector<gsim::Estimate> estimates() const override;
  void save(gsim::DatasetWriter& writer) const override;
  void restore(gsim::DatasetReader& reader) override;
  void write_results(gsim::DatasetWriter& writer) const override;
  gsim::ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  /// All data of the size of the grid; made by prepare() or restore().
  struct State {
    State(const gsim::Context& context, const HeatConfig& config);
    gsim::GridDecomposition grid;
    gsim::FieldHalo halo;
    gsim::FieldParts parts;
    gsim::FieldBoundary boundary;
    gsim::FieldRows rows;
    gsim::Field now, next;                   ///< temperatures at this and at the next step
    std::vector<gsim::Array<double>> modes;  ///< Mode::along() of this rank's cells, if any
    gsim::StepGraphs steps;
  };
  void build();  ///< makes state_, table_ and pictures_
  void step();
  void observe(Index step);
  /// The values in the row of table_ for a step.
  std::vector<double> row_of(Index step);
  /// The amplitude that the mode has now, by projection.
  double amplitude();
  double initial_temperature(const gsim::Cell& cell) const;

  HeatConfig config_;
  std::shared_ptr<const gsim::Context> context_;
  std::optional<Mode> mode_;
  std::unique_ptr<State> state_;
  std::unique_ptr<gsim::FieldSeries> pictures_;
  std::optional<gsim::SeriesTable> table_;  ///< "heat" of the results
};

}  // namespace heat
