#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class InstantTimes : public TimeDistribution {
 public:
  explicit InstantTimes(Section& s) { optional_start(s, start_, "starting time of all particles"); }
  void set(Source& source, TimeTable& /*table*/) const override {
    source.time = SourceTime::pulses;  // one pulse of width 0
    source.t[0] = start_;
  }

 private:
  double start_ = 0;
};

std::unique_ptr<TimeDistribution> describe_instant(Section& s) {
  return std::make_unique<InstantTimes>(s);
}

}  // namespace

void register_instant_times(Registry& registry) {
  registry.extend(TimeKind{"instant", "all at one time", describe_instant});
}

}  // namespace gsim::transport
