#pragma once
// Dissipative particle dynamics as a module of gsim.

#include <memory>
#include <optional>
#include <vector>

#include <gsim/domain/box.hpp>
#include <gsim/domain/cell_list.hpp>
#include <gsim/domain/decomposition.hpp>
#include <gsim/domain/halo.hpp>
#include <gsim/domain/migrator.hpp>
#include <gsim/domain/particle_store.hpp>
#include <gsim/engine/module.hpp>
#include <gsim/engine/series_table.hpp>

#include "dpd_config.hpp"

namespace dpd {

/// One unit of work is a time step of all particles.
class DpdModule : public gsim::Module {
 public:
  void describe(gsim::Section& top) override { config_.describe(top); }
  gsim::WorkPlan plan(const gsim::Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override {}
  std::string health() override;
  std::vector<gsim::Estimate> estimates() const override;
  void save(gsim::DatasetWriter& writer) const override;
  void restore(gsim::DatasetReader& reader) override;
  void write_results(gsim::DatasetWriter& writer) const override;
  gsim::ReportTable report() const override { return table_->report(); }
  std::uint64_t digest() const override;

 private:
  /// This rank's particles and their decomposition.
  struct State {
    State(const gsim::Context& context, const DpdConfig& config);
    gsim::Box box;
    gsim::Decomposition bricks;  ///< part of the box of each rank
    gsim::ParticleStore store;
    gsim::ColumnId velocity;   ///< float64 x 3
    gsim::ColumnId predicted;  ///< float64 x 3: velocities that forces are computed with
    gsim::ColumnId force;      ///< int64 x 3, in quanta
    gsim::Migrator migrator;
    gsim::HaloPlan halo;
    gsim::CellList cells;

    /// The columns of a checkpoint, from which a run can be resumed.
    std::vector<gsim::ColumnId> saved() const { return {store.position(), velocity, force}; }
  };
  void build();  ///< makes state_ and table_
  gsim::IndexRange initial_ids() const;
  std::vector<double> first_velocities() const;
  void find_neighbours(Index step);
  void compute_forces(Index step, double half_step);
  void observe(Index step);

  DpdConfig config_;
  std::shared_ptr<const gsim::Context> context_;
  double force_quantum_ = 0, sum_quantum_ = 0, speed_quantum_ = 0;  ///< powers of two
  std::unique_ptr<State> state_;
  std::optional<gsim::SeriesTable> table_;
  Index done_ = 0;  ///< number of time steps that are done
};

}  // namespace dpd
