#include <algorithm>
#include <functional>

#include "src/modules/transport/sources/spectra/spectrum.hpp"
#include "src/modules/transport/sources/times/times.hpp"

namespace gsim::transport {
namespace {

class TabulatedTimes : public TimeDistribution {
 public:
  explicit TabulatedTimes(Section& s) {
    s.required("times", table_.times, {.doc = "times, increasing", .unit = "s", .min_size = 2});
    s.required("densities", table_.densities,
               {.doc = "probability density: one value per time (linear interpolation) or one per "
                       "interval between times (constant); gsim normalises it",
                .min_size = 1});
    keys_ = s.locations();
  }
  void set(Source& source, TimeTable& table) const override {
    if (!std::is_sorted(table_.times.begin(), table_.times.end(), std::less_equal<>()))
      keys_.fail("times", "times do not increase");
    if (table_.densities.size() + 1 != table_.times.size())
      validate_count(keys_, "densities", table_.densities.size(), table_.times.size(), "times");
    validate_weights(keys_, "densities", table_.densities);
    source.time = SourceTime::table;
    table = table_;
  }

 private:
  TimeTable table_;
  KeyLocations keys_;
};

std::unique_ptr<TimeDistribution> describe_table(Section& s) {
  return std::make_unique<TabulatedTimes>(s);
}

}  // namespace

void register_tabulated_times(Registry& registry) {
  registry.extend(TimeKind{"tabulated", "a density at given times", describe_table});
}

}  // namespace gsim::transport
