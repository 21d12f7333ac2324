#pragma once
// The module "transport". The engine calls it; a Calculation runs its batches.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/transport/simulation/calculation.hpp"
#include "src/modules/transport/transport_config.hpp"

namespace gsim::transport {

class TransportModule : public Module {
 public:
  explicit TransportModule(Extensions extensions = Extensions::builtin())
      : extensions_(std::move(extensions)) {}
  void describe(Section& top) override { describe_transport(top, config_, extensions_); }
  void validate() override { validate_transport(config_); }
  std::vector<Drawing> draw(const Context& context) override;
  WorkPlan plan(const Context& context) override;
  std::uint64_t input_digest() const override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override;
  std::string health() override;
  bool has_valid_results() const override { return false; }
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  std::string tighten_targets(bool /*was_evaluated*/) override { return {}; }
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  /// Tests the geometry at random positions. ConfigError if one is in no cell or in two.
  /// Sets is_sampled[i] to whether a position was in cell i.
  PointCounts examine_geometry(std::vector<bool>& is_sampled) const;
  /// All checks that need random positions or particles, with warnings. Returns the positions that
  /// examine_geometry() tested. Throws ConfigError.
  PointCounts check_run() const;
  void check_particle_file() const;
  /// The lines of `gsim check` about volumes.
  std::vector<std::string> volume_notes(const PointCounts& counts) const;
  /// Particles in a batch that generates weight windows.
  Index generator_particles() const;
  double mean_particles_per_batch() const;
  /// Writes the VTKHDF files of tallies on meshes, and a statepoint as OpenMC does.
  void write_tally_files() const;
  void build();
  /// The line of the report about lost particles.
  std::string lost_message() const;

  Extensions extensions_;
  TransportConfig config_;
  std::unique_ptr<Context> context_;
  std::unique_ptr<System> system_;
  std::unique_ptr<Calculation> calculation_;
  std::vector<std::string> tally_lines_;  ///< lines of the report
};

}  // namespace gsim::transport
