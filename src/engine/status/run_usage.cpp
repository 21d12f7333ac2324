#include "run_usage.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "gsim/core/digest.hpp"
#include "gsim/core/host_name.hpp"

namespace gsim::engine {
namespace {

/// Adds a known value to a sum that is NaN as long as nothing is known.
void add(double& sum, double value) {
  if (!std::isnan(value)) sum = std::isnan(sum) ? value : sum + value;
}

void add_gpus(std::span<const RankUsage> ranks, RunUsage& all) {
  std::set<std::uint64_t> gpus;
  double known = 0;
  for (const RankUsage& rank : ranks) {
    if (rank.gpu == 0 || !gpus.insert(rank.gpu).second) continue;
    add(all.gpu_joules, rank.gpu_reading.joules);
    add(all.gpu_memory_bytes, rank.gpu_reading.memory_bytes);
    add(all.gpu_utilization, rank.gpu_reading.utilization);
    if (!std::isnan(rank.gpu_reading.utilization)) ++known;
  }
  all.gpus = static_cast<Index>(gpus.size());
  all.gpu_utilization /= known;
}

}  // namespace

RunUsage combine(std::span<const RankUsage> ranks) {
  RunUsage all;
  all.ranks = static_cast<Index>(ranks.size());
  std::set<std::uint64_t> hosts;
  double busiest = 0, busy = 0;
  for (const RankUsage& rank : ranks) {
    all.threads += static_cast<Index>(rank.threads);
    all.peak_memory_bytes += rank.peak_memory_bytes;
    all.largest_peak_memory_bytes = std::max(all.largest_peak_memory_bytes, rank.peak_memory_bytes);
    busiest = std::max(busiest, rank.busy_seconds);
    busy += rank.busy_seconds;
    if (hosts.insert(rank.host).second) add(all.cpu_joules, rank.cpu_joules);
  }
  all.hosts = static_cast<Index>(hosts.size());
  if (busy > 0 && ranks.size() > 1)
    all.imbalance = busiest / (busy / static_cast<double>(ranks.size())) - 1;
  add_gpus(ranks, all);
  return all;
}

double peak_memory_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("VmHWM:")) return 1024 * std::strtod(line.c_str() + 6, nullptr);
  return 0;
}

UsageMeter::UsageMeter(const Context& context)
    : context_(context),
      gpu_(context.executor.device_uuid()),
      host_(Digest().add(host_name()).value()),
      gpu_digest_(context.executor.is_cuda()
                      ? Digest().add(context.executor.device_uuid()).value() | 1
                      : 0) {}

double UsageMeter::busy_seconds() const {
  double seconds = 0;
  for (const RegionTime& region : context_.timer->regions())
    seconds += region.seconds - region.waited;
  return seconds;
}

void UsageMeter::start_loop() { busy_before_loop_ = busy_seconds(); }

RunUsage UsageMeter::gather() {
  RankUsage mine;
  mine.host = host_;
  mine.gpu = gpu_digest_;
  mine.threads = context_.executor.threads();
  mine.peak_memory_bytes = peak_memory_bytes();
  mine.busy_seconds = busy_seconds() - busy_before_loop_;
  mine.cpu_joules = energy_.joules();
  mine.gpu_reading = gpu_.read();
  const std::vector<RankUsage> ranks =
      context_.communicator.gather(std::span<const RankUsage>(&mine, 1));
  return context_.communicator.is_root() ? combine(ranks) : RunUsage();
}

}  // namespace gsim::engine
