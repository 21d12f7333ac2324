#pragma once
// Energy of the processors of this machine, from the counters that Linux publishes (RAPL, Intel 64
// and IA-32 Architectures Software Developer's Manual, volume 3B, section 15.10; AMD's processors
// have the same interface).

#include <limits>
#include <string>
#include <vector>

namespace gsim::engine {

/// A measurement that a machine does not give.
inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// Reads the energy counters of packages and their memory. Many systems allow it to root only.
class EnergyMeter {
 public:
  static constexpr const char* default_folder = "/sys/class/powercap";

  /// Starts at zero with the readable counters of `folder`.
  explicit EnergyMeter(const std::string& folder = default_folder);

  bool has_counters() const { return !counters_.empty(); }
  /// Joules since construction, of all that runs on this machine. NaN without counters. A counter
  /// wraps after some minutes of full load (its max_energy_range_uj): between two calls at most
  /// once.
  double joules();

 private:
  struct Counter {
    std::string path;
    double last = 0, range = 0;  // microjoules
  };
  std::vector<Counter> counters_;
  double microjoules_ = 0;
};

}  // namespace gsim::engine
