// Particles from sources: every batch is an independent sample.

#include <algorithm>

#include <fmt/format.h>

#include "src/modules/transport/simulation/calculation.hpp"
#include "src/modules/transport/simulation/generation_statistics.hpp"

namespace gsim::transport {
namespace {

class FixedSource : public Calculation {
 public:
  FixedSource(const TransportConfig& config, const Context& context, System& system)
      : Calculation(config, context, system),
        config_(config),
        system_(system),
        histories_(context.communicator, context.executor,
                   histories_setup(config, context, system)) {}

  void begin() override {}
  void run(Index batch) override;
  std::vector<Estimate> estimates() const override;
  std::vector<std::string> remarks() const override { return {}; }
  void save(DatasetWriter& writer) const override { series_.save(writer, "batches"); }
  void restore(DatasetReader& reader) override { series_.restore(reader, "batches"); }
  void write_results(DatasetWriter& writer) const override { series_.save(writer, "batches"); }
  void add_to(Digest& digest) const override { series_.add_to(digest); }

 private:
  const TransportConfig& config_;
  System& system_;
  Histories histories_;
};

void FixedSource::run(Index batch) {
  if (system_.file() == nullptr) {
    series_.add(tallied(histories_, true, [&] { return histories_.run(batch); }));
    return;
  }
  const IndexRange mine = histories_.mine();
  const Index first = batch * config_.particles;
  std::vector<SourceParticle> particles;
  histories_.communicator().agree([&] {
    particles = system_.file()->particles({first + mine.first, first + mine.last});
  });
  series_.add(tallied(histories_, true, [&] { return histories_.run(batch, particles); }));
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
    all.push_back(e);
  };
  if (series_.batches() == 0) return all;
  add("leakage", series_.leakage);
  if (config_.rules.is_timed != 0) add("timed_out", series_.timed_out);
  add("fission_neutrons", series_.k_collision);
  return all;
}

}  // namespace

std::unique_ptr<Calculation> make_fixed_source(const TransportConfig& config,
                                               const Context& context, System& system) {
  return std::make_unique<FixedSource>(config, context, system);
}

}  // namespace gsim::transport
