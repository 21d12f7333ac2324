#include "energy_meter.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace gsim::engine {
namespace {

namespace fs = std::filesystem;

/// The number in a file; NaN where it cannot be read.
double number_in(const std::string& path) {
  std::ifstream file(path);
  double value = not_measured;
  return file >> value ? value : not_measured;
}

std::string word_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

}  // namespace

EnergyMeter::EnergyMeter(const std::string& folder) {
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
    const std::string path = at->path().string();
    // Cores and graphics are parts of a package; psys is the whole machine, on some laptops.
    const std::string name = word_in(path + "/name");
    if (!name.starts_with("package") && name != "dram") continue;
    // The registers of the processor; intel-rapl-mmio has the same counters once more.
    if (!at->path().filename().string().starts_with("intel-rapl:")) continue;
    const double now = number_in(path + "/energy_uj");
    const double range = number_in(path + "/max_energy_range_uj");
    if (now >= 0 && range > 0) counters_.push_back({path + "/energy_uj", now, range});
  }
}

double EnergyMeter::joules() {
  if (counters_.empty()) return not_measured;
  for (Counter& counter : counters_) {
    const double now = number_in(counter.path);
    if (!(now >= 0)) continue;
    microjoules_ += now >= counter.last ? now - counter.last : now - counter.last + counter.range;
    counter.last = now;
  }
  return 1e-6 * microjoules_;
}

}  // namespace gsim::engine
