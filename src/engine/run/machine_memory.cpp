#include "machine_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/driver.hpp"

namespace gsim {
namespace engine {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The sum of MemTotal and SwapTotal of /proc/meminfo, which are in kibibytes.
double physical_and_swap() {
  std::ifstream file("/proc/meminfo");
  double bytes = 0;
  for (std::string line; std::getline(file, line);)
    for (const std::string_view key : {"MemTotal:", "SwapTotal:"})
      if (line.starts_with(key)) bytes += 1024 * std::stod(line.substr(key.size()));
  return bytes > 0 ? bytes : infinity;
}

/// The limit, in bytes, in a file of a control group; infinity if it is "max" or the file is
/// absent.
double limit_in(const std::string& path) {
  std::ifstream file(path);
  double bytes = infinity;
  return file >> bytes ? bytes : infinity;
}

/// The smallest limit of memory and swap of this process' control group and of those above it.
double group_limit() {
  std::ifstream file("/proc/self/cgroup");
  double limit = infinity;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("0::/")) continue;
    std::string group = line.substr(3);
    while (true) {
      const std::string folder = "/sys/fs/cgroup" + group;
      const double swap = limit_in(folder + "/memory.swap.max");
      limit = std::min(limit, limit_in(folder + "/memory.max") + swap);
      if (group.size() <= 1) break;
      group.erase(std::max<std::size_t>(group.rfind('/'), 1));
    }
  }
  return limit;
}

}  // namespace

double machine_memory() { return std::min(physical_and_swap(), group_limit()); }

void check_memory(const Context& context, const WorkPlan& plan, double available) {
  if (context.executor.is_cuda() || !(plan.bytes_per_rank > available)) return;
  const std::string problem =
      fmt::format("a rank needs {} of memory by the forecast, and this machine has {}",
                  human_bytes(plan.bytes_per_rank), human_bytes(available));
  constexpr double error_of_forecasts = 2;  // the factor by which a forecast may be too large
  if (context.forecast_ranks == 0 && plan.bytes_per_rank > error_of_forecasts * available)
    throw InputError(fmt::format(
        "{}; make the problem smaller, or use more machines (`gsim check --ranks N` forecasts the "
        "memory of a rank)",
        problem));
  if (context.warn) context.warn(problem);
}

}  // namespace engine

void check_memory(const Context& context, const WorkPlan& plan) {
  engine::check_memory(context, plan, engine::machine_memory());
}

}  // namespace gsim
