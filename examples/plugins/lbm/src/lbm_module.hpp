#pragma once
// The lattice Boltzmann equation in three dimensions, as a module of gsim.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gsim/domain/field.hpp>
#include <gsim/domain/field_parts.hpp>
#include <gsim/domain/field_rows.hpp>
#include <gsim/domain/step_graphs.hpp>
#include <gsim/engine/field_series.hpp>
#include <gsim/engine/module.hpp>
#include <gsim/engine/series_table.hpp>

#include "lbm_config.hpp"
#include "lbm_kernels.hpp"
#include "vortices.hpp"

namespace lbm {

/// One unit of work is a time step.
class LbmModule : public gsim::Module {
 public:
  void describe(gsim::Section& top) override { config_.describe(top); }
  gsim::WorkPlan plan(const gsim::Context& context) override;
  void prepare() override;
  Index next_evaluation(Index) const override { return config_.steps; }
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override { find_moments(); }
  std::vector<gsim::Estimate> estimates() const override;
  void save(gsim::DatasetWriter& writer) const override;
  void restore(gsim::DatasetReader& reader) override;
  void write_results(gsim::DatasetWriter& writer) const override;
  gsim::ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  /// All data of the size of the lattice; made by prepare() or restore().
  struct State {
    State(const gsim::Context& context, const LbmConfig& config);
    gsim::GridDecomposition grid;
    gsim::FieldHalo halo;
    gsim::FieldParts parts;
    gsim::FieldRows rows;
    std::vector<gsim::Field> now, next;  ///< populations at this and at the next step
    gsim::Field density, velocity;
    gsim::Field product;  ///< kinetic energy, and velocity times the mode of the vortices
    std::vector<gsim::Array<double>>
        waves;  ///< cosines and sines of the vortices at this rank's cells
    gsim::StepGraphs steps;
  };
  void build();  ///< makes state_, table_, step_args_ and pictures_
  void step();
  void step_cells(const gsim::CellBlock& cells);
  void find_moments();
  void observe(Index step);
  std::vector<double> row_of(Index step);

  LbmConfig config_;
  std::shared_ptr<const gsim::Context> context_;
  std::optional<Vortices> vortices_;
  StepArgs step_args_;  ///< complete except `from`, `to` and `part`
  std::unique_ptr<State> state_;
  std::unique_ptr<gsim::FieldSeries> pictures_;
  std::optional<gsim::SeriesTable> table_;  ///< group "lbm" of the results
  std::vector<Vector> probed_;  ///< velocities at config_.probes, once all steps are done
};

}  // namespace lbm
