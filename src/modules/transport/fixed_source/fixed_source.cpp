// Fixed-source calculations: every batch is an independent sample.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "src/modules/transport/eigenvalue/generation_statistics.hpp"
#include "src/modules/transport/fixed_source/run_source.hpp"
#include "src/modules/transport/simulation/calculation.hpp"
#include "src/modules/transport/variance_reduction/window_generator.hpp"

namespace gsim::transport {
namespace {

std::unique_ptr<WeightWindows> make_windows(const TransportConfig& config, const Context& context) {
  if (!config.windows.is_set) return nullptr;
  return std::make_unique<WeightWindows>(context.executor, config.windows, config.materials.groups);
}

HistoriesArgs with_windows(HistoriesArgs args, const WeightWindows* windows) {
  if (windows != nullptr) args.variance_reduction.windows = windows->view();
  return args;
}

class FixedSource : public Calculation {
 public:
  FixedSource(const TransportConfig& config, const Context& context, System& system)
      : Calculation(config, context, system),
        config_(config),
        system_(system),
        windows_(make_windows(config, context)),
        args_(with_windows(histories_args(config, context, system), windows_.get())),
        histories_(context.communicator, context.executor, args_, config.particles) {
    if (config.windows.is_generated)
      generator_ = std::make_unique<WindowGenerator>(config, context, system, args_, *windows_);
  }

  void begin() override {}
  void run(Index batch) override;
  std::vector<Estimate> estimates() const override;
  std::vector<std::string> remarks() const override;

 private:
  void save_state(DatasetWriter& writer) const override;
  void restore_state(DatasetReader& reader) override;
  void write_more_results(DatasetWriter& writer) const override;
  void add_state_to(Digest& digest) const override;

  const TransportConfig& config_;
  System& system_;
  std::unique_ptr<WeightWindows> windows_;  ///< null: none
  HistoriesArgs args_;                      ///< common to all batches
  Histories histories_;
  std::unique_ptr<WindowGenerator> generator_;  ///< null: windows are not generated
};

// Active batches are numbered from 0, so that results are the same with generated windows and with
// equal windows that are given.
void FixedSource::run(Index batch) {
  if (batch < config_.inactive) return series_.add_lost(generator_->run(batch));
  constexpr bool is_active = true;
  histories_.rebalance();
  begin_batch(histories_, is_active);
  end_batch(histories_, run_source(histories_, system_, batch - config_.inactive));
}

std::vector<Estimate> FixedSource::estimates() const {
  std::vector<Estimate> all;
  const auto add = [&](const char* name, const std::vector<double>& series) {
    all.push_back(estimate(name, mean_of_independent(series), series));
  };
  if (series_.batches() == 0) return {unknown_estimate("leakage")};
  add("leakage", series_.leakage);
  if (particle_file() != nullptr) add("written", particle_file()->weights());
  if (config_.rules.is_timed != 0) add("timed_out", series_.timed_out);
  // The collision estimator of k counts fission neutrons per source particle.
  add("fission_neutrons", series_.k_collision);
  return all;
}

std::vector<std::string> FixedSource::remarks() const {
  if (generator_ == nullptr) return {};
  return {fmt::format("{} of {} boxes and groups have a weight window", windows_->count(),
                      windows_->lower().size())};
}

void FixedSource::save_state(DatasetWriter& writer) const {
  if (windows_ != nullptr) windows_->write(writer);
  if (generator_ != nullptr) generator_->save(writer);
}

void FixedSource::restore_state(DatasetReader& reader) {
  if (windows_ != nullptr) windows_->restore(reader);
  if (generator_ != nullptr) generator_->restore(reader);
}

void FixedSource::write_more_results(DatasetWriter& writer) const {
  if (windows_ != nullptr) windows_->write(writer);
}

void FixedSource::add_state_to(Digest& digest) const {
  if (windows_ != nullptr) digest.add(std::span<const double>(windows_->lower()));
}

}  // namespace

std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system) {
  return std::make_unique<FixedSource>(config, context, system);
}

}  // namespace gsim::transport
