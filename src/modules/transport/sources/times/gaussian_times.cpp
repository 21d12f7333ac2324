#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class GaussianTimes : public TimeDistribution {
 public:
  explicit GaussianTimes(Section& s) {
    s.required("mean", mean_, {.doc = "mean time", .unit = "s"});
    required_time(s, "standard_deviation", deviation_, "standard deviation of the time");
  }
  void set(Source& source, TimeTable& /*table*/) const override {
    source.time = SourceTime::gaussian;
    source.t[0] = mean_;
    source.t[1] = deviation_;
  }

 private:
  double mean_ = 0, deviation_ = 0;
};

std::unique_ptr<TimeDistribution> describe_gaussian(Section& s) {
  return std::make_unique<GaussianTimes>(s);
}

}  // namespace

void register_gaussian_times(Registry& registry) {
  registry.extend(TimeKind{"gaussian", "normally distributed", describe_gaussian});
}

}  // namespace gsim::transport
