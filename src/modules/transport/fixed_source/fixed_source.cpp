// Particles from sources: every batch is an independent sample.

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "gsim/engine/contributing_samples.hpp"
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

HistoriesSetup setup_with(HistoriesSetup setup, const WeightWindows* windows) {
  if (windows != nullptr) setup.population.windows = windows->view();
  return setup;
}

class FixedSource : public Calculation {
 public:
  FixedSource(const TransportConfig& config, const Context& context, System& system)
      : Calculation(config, context, system),
        config_(config),
        system_(system),
        windows_(make_windows(config, context)),
        histories_(context.communicator, context.executor,
                   setup_with(histories_setup(config, context, system), windows_.get())) {
    if (config.windows.is_generated)
      generator_ =
          std::make_unique<WindowGenerator>(config, context, system, histories_.setup(), *windows_);
  }

  void begin() override {}
  void run(Index batch) override;
  std::vector<Estimate> estimates() const override;
  std::vector<std::string> remarks() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  void add_to(Digest& digest) const override;

 private:
  const TransportConfig& config_;
  System& system_;
  std::unique_ptr<WeightWindows> windows_;  ///< null: the run has none
  Histories histories_;
  std::unique_ptr<WindowGenerator> generator_;  ///< null: windows are given
};

// Batches are numbered from the first one that counts: with the same windows it is the same,
// whether they were made or given.
void FixedSource::run(Index batch) {
  if (batch < config_.inactive) return series_.add_lost(generator_->run(batch));
  series_.add(tallied(histories_, true,
                      [&] { return run_source(histories_, system_, batch - config_.inactive); }));
}

std::vector<Estimate> FixedSource::estimates() const {
  std::vector<Estimate> all;
  const auto add = [&](const char* name, const std::vector<double>& series) {
    const MeanAndError m = mean_of_independent(series);
    Estimate e;
    e.name = name;
    e.mean = m.mean;
    e.standard_error = m.error;
    e.count = static_cast<Index>(series.size());
    e.degrees = std::max(Index{1}, e.count - 1);
    rest_on(e, contributing_samples(moments_of(series)));
    all.push_back(e);
  };
  if (series_.batches() == 0) return {unknown_estimate("leakage")};
  add("leakage", series_.leakage);
  if (particle_file() != nullptr) add("written", particle_file()->weights());
  if (config_.rules.is_timed != 0) add("timed_out", series_.timed_out);
  add("fission_neutrons", series_.k_collision);
  return all;
}

std::vector<std::string> FixedSource::remarks() const {
  if (generator_ == nullptr) return {};
  return {fmt::format("{} of {} boxes and groups got a weight window", windows_->count(),
                      windows_->lower().size())};
}

void FixedSource::save(DatasetWriter& writer) const {
  series_.save(writer, "batches");
  if (windows_ != nullptr) windows_->write(writer);
  if (generator_ != nullptr) generator_->save(writer);
}

void FixedSource::restore(DatasetReader& reader) {
  series_.restore(reader, "batches");
  if (windows_ != nullptr) windows_->restore(reader);
  if (generator_ != nullptr) generator_->restore(reader);
}

void FixedSource::write_results(DatasetWriter& writer) const {
  series_.save(writer, "batches");
  if (windows_ != nullptr) windows_->write(writer);
}

void FixedSource::add_to(Digest& digest) const {
  series_.add_to(digest);
  if (windows_ != nullptr) digest.add(std::span<const double>(windows_->lower()));
}

}  // namespace

std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system) {
  return std::make_unique<FixedSource>(config, context, system);
}

}  // namespace gsim::transport
