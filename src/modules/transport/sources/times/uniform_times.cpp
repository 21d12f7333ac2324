#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class UniformTimes : public TimeDistribution {
 public:
  explicit UniformTimes(Section& s) {
    optional_start(s, start_, "first time");
    required_time(s, "duration", duration_, "length of the interval");
  }
  void set(Source& source, TimeTable& /*table*/) const override {
    source.time = SourceTime::pulses;  // one pulse
    source.t[0] = start_;
    source.t[1] = duration_;
  }

 private:
  double start_ = 0, duration_ = 0;
};

std::unique_ptr<TimeDistribution> describe_uniform(Section& s) {
  return std::make_unique<UniformTimes>(s);
}

}  // namespace

void register_uniform_times(Registry& registry) {
  registry.extend(TimeKind{"uniform", "evenly over a duration", describe_uniform});
}

}  // namespace gsim::transport
