#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class ExponentialTimes : public TimeDistribution {
 public:
  explicit ExponentialTimes(Section& s) {
    optional_start(s, start_, "first time");
    required_time(s, "mean", mean_, "mean time after the start");
  }
  void set(Source& source, TimeTable& /*table*/) const override {
    source.time = SourceTime::exponential;
    source.t[0] = start_;
    source.t[1] = mean_;
  }

 private:
  double start_ = 0, mean_ = 0;
};

std::unique_ptr<TimeDistribution> describe_exponential(Section& s) {
  return std::make_unique<ExponentialTimes>(s);
}

}  // namespace

void register_exponential_times(Registry& registry) {
  registry.extend(TimeKind{"exponential", "decaying exponentially", describe_exponential});
}

}  // namespace gsim::transport
