#include "src/modules/transport/sources/time_config.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include <fmt/format.h>

namespace gsim::transport {
namespace {

void optional_start(Section& s, Source& source, const char* doc) {
  s.optional("start", source.t[0], {.doc = doc, .unit = "s"});
}
void required_positive(Section& s, const char* key, double& value, const char* doc) {
  s.required(key, value, {.doc = doc, .unit = "s", .minimum = 0, .exclusive_minimum = true});
}

void describe_uniform(Section& s, Source& source) {
  optional_start(s, source, "first time");
  required_positive(s, "duration", source.t[1], "how long it lasts");
}

void describe_pulses(Section& s, Source& source) {
  Index pulses = 1;
  optional_start(s, source, "begin of the first pulse");
  s.optional("width", source.t[1], {.doc = "of each pulse; 0: at once", .unit = "s", .minimum = 0});
  s.optional("pulses", pulses, {.doc = "their number", .minimum = 1, .maximum = 1e9});
  s.optional("period", source.t[2], {.doc = "from pulse to pulse", .unit = "s", .minimum = 0});
  if (s.describing()) return;
  source.pulses = static_cast<std::int32_t>(pulses);
  if (pulses > 1 && !(source.t[2] >= source.t[1] && source.t[2] > 0))
    s.fail("period", fmt::format("the period {} s is shorter than a pulse", source.t[2]),
           "several pulses need a period that is at least their width");
}

void describe_table(Section& s, TimeTable& table) {
  s.required("times", table.times, {.doc = "rising", .unit = "s", .min_size = 2});
  s.required("densities", table.densities,
             {.doc = "probability per second at each time, linear between them; or, one less, "
                     "between each two of them; scaled to a sum of 1",
              .min_size = 1});
  if (s.describing()) return;
  if (!std::is_sorted(table.times.begin(), table.times.end(), std::less_equal<>()))
    s.fail("times", "times do not rise");
  if (table.densities.size() != table.times.size() &&
      table.densities.size() + 1 != table.times.size())
    s.fail("densities",
           fmt::format("{} densities for {} times", table.densities.size(), table.times.size()));
  double sum = 0;
  for (const double p : table.densities) {
    if (!(p >= 0)) s.fail("densities", fmt::format("{} is negative", p));
    sum += p;
  }
  if (!(sum > 0)) s.fail("densities", "all of them are 0");
}

}  // namespace

void describe_time(Section& s, Source& source, TimeTable& table) {
  const int kind = s.alternatives(
      "kind",
      {{"instant", "all at one time", [&](Section& a) { optional_start(a, source, "the time"); }},
       {"uniform", "evenly over a duration", [&](Section& a) { describe_uniform(a, source); }},
       {"pulse", "one or several rectangular pulses",
        [&](Section& a) { describe_pulses(a, source); }},
       {"gaussian", "normally distributed",
        [&](Section& a) {
          a.required("mean", source.t[0], {.doc = "mean time", .unit = "s"});
          required_positive(a, "standard_deviation", source.t[1], "of the time");
        }},
       {"exponential", "decaying exponentially",
        [&](Section& a) {
          optional_start(a, source, "first time");
          required_positive(a, "mean", source.t[1], "mean time after the start");
        }},
       {"tabulated", "a density at given times", [&](Section& a) { describe_table(a, table); }}},
      0, {.doc = "when particles start"});
  if (s.describing()) return;
  constexpr SourceTime kinds[] = {SourceTime::pulses,   SourceTime::pulses,      SourceTime::pulses,
                                  SourceTime::gaussian, SourceTime::exponential, SourceTime::table};
  source.time = kinds[kind];
}

}  // namespace gsim::transport
