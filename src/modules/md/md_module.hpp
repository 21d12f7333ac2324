#pragma once
// The module "md": connects the engine's driver with Simulation.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/md/integrators/groups.hpp"
#include "src/modules/md/md_config.hpp"
#include "src/modules/md/setup/assembly.hpp"
#include "src/modules/md/simulation/simulation.hpp"

namespace gsim::md {

class MdModule : public Module {
 public:
  explicit MdModule(Extensions parts = builtin_extensions()) : parts_(std::move(parts)) {}
  void describe(Section& top) override { describe_md(top, config_, parts_); }
  void validate() override { validate_md(config_); }
  WorkPlan plan(const Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override {}
  std::string health() override { return simulation_->health(); }
  std::string abandon() override;
  bool has_valid_results() const override { return true; }
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  std::string tighten_targets(bool /*was_evaluated*/) override { return {}; }
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t input_digest() const override { return config_.start.input_digest; }
  std::uint64_t digest() const override;

 private:
  /// A message where a minimiser has not converged; empty otherwise.
  std::string unfinished() const;
  /// Checks the input before anything is written, and for `gsim check`.
  void check_input(const Context& context, int ranks);
  void check_observers(const Context& context, bool is_charged);
  /// Checks the types and groups that observers, trajectories and integrators select.
  void check_classes(const Context& context);
  /// The classes of the atoms of the start by types and groups. Collective.
  const Classification& start_classes(const Context& context);
  /// InputError where the state depends on the length of the run, and the checkpoint is of a run of
  /// another length.
  void check_ramps(DatasetReader& reader) const;
  /// Warns of settings that are possible, but probably not intended.
  void warn(const Context& context) const;
  /// Makes simulation_ with its observers.
  void build();
  /// Prepares the first step of a new run, with or without [push_off].
  void begin(const Classification& classes, bool pushes_off);
  std::vector<Index> type_counts(const std::vector<AtomClass>& classes) const;
  OutputSetup observer_setup(const ForceQuanta& quanta) const;
  Extensions parts_;
  MdConfig config_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<StartSystem> system_;
  std::vector<AtomClass> classes_;
  std::optional<Classification> start_classes_;  ///< until prepare() moves them to classes_
  std::unique_ptr<Assembly> assembly_;
  std::unique_ptr<OutputSetup> observer_setup_;  ///< observers refer to it
  std::unique_ptr<Simulation> simulation_;
  Index done_ = 0;
  /// Averages of the thermo table. Error targets apply to those that characterise a state point and
  /// whose means are far from zero: temperature, potential energy and pressure; not to those of a
  /// minimiser, which ends by its force tolerance.
  std::vector<Estimate> thermo_estimates() const;

  ThermoTable* thermo_ = nullptr;  ///< one of the simulation's observers
};

}  // namespace gsim::md
