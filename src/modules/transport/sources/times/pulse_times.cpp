#include <fmt/format.h>

#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class PulseTimes : public TimeDistribution {
 public:
  explicit PulseTimes(Section& s) {
    optional_start(s, start_, "start of the first pulse");
    s.optional("width", width_,
               {.doc = "duration of each pulse; 0: instantaneous", .unit = "s", .minimum = 0});
    s.optional("pulses", pulses_, {.doc = "number of pulses", .minimum = 1, .maximum = 1e9});
    s.optional("period", period_, {.doc = "time from pulse to pulse", .unit = "s", .minimum = 0});
    keys_ = s.locations();
  }
  void set(Source& source, TimeTable& /*table*/) const override {
    if (pulses_ > 1 && !(period_ >= width_ && period_ > 0))
      keys_.fail("period", fmt::format("the period {} s is shorter than a pulse", period_),
                 "several pulses need a period that is at least their width");
    source.time = SourceTime::pulses;
    source.t[0] = start_;
    source.t[1] = width_;
    source.t[2] = period_;
    source.pulses = static_cast<std::int32_t>(pulses_);
  }

 private:
  double start_ = 0, width_ = 0, period_ = 0;
  Index pulses_ = 1;
  KeyLocations keys_;
};

std::unique_ptr<TimeDistribution> describe_pulse(Section& s) {
  return std::make_unique<PulseTimes>(s);
}

}  // namespace

void register_pulse_times(Registry& registry) {
  registry.extend(TimeKind{"pulse", "one or several rectangular pulses", describe_pulse});
}

}  // namespace gsim::transport
