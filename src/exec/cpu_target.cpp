#include "cpu_target.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include <sched.h>
#include <unistd.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/environment.hpp"
#include "gsim/core/error.hpp"
#include "gsim/exec/processors.hpp"
#include "processor_level.hpp"

namespace gsim {
namespace {

constexpr Target cpu_targets[] = {Target::base, Target::avx2, Target::avx512};

/// The number of processors, rounded up, to which a file cpu.max limits a control group; 0 without
/// a limit. Its text is "MAX PERIOD" in microseconds, or "max PERIOD" (Linux,
/// Documentation/admin-guide/cgroup-v2.rst).
int read_cpu_max(const std::string& path) {
  std::ifstream file(path);
  std::string quota;
  std::int64_t period = 0;
  if (!(file >> quota >> period) || quota == "max" || period <= 0) return 0;
  std::int64_t microseconds = 0;
  const auto [end, error] =
      std::from_chars(quota.data(), quota.data() + quota.size(), microseconds);
  if (error != std::errc() || microseconds <= 0) return 0;
  return static_cast<int>(std::min<std::int64_t>((microseconds + period - 1) / period, 1 << 20));
}

std::string read_text(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

namespace detail {

std::vector<Target> usable_cpu_targets(const std::string& names,
                                       const std::vector<Target>& runnable) {
  std::vector<Target> usable;
  std::istringstream words(names);
  for (std::string word; words >> word;)
    for (const Target target : runnable)
      if (word == to_string(target)) usable.push_back(target);
  std::sort(usable.begin(), usable.end());
  GSIM_VALIDATE(
      !usable.empty(),
      "this build of gsim contains code for the CPU levels \"" + names +
          "\" only, but this processor runs " + to_string(runnable),
      "build gsim on this machine, or for every processor: GSIM_CPU_LEVELS=all scripts/gsim");
  return usable;
}

Target choose_cpu_target(const std::vector<Target>& available, const char* requested) {
  if (requested == nullptr || *requested == '\0') return available.back();
  for (const Target target : available)
    if (std::strcmp(requested, to_string(target)) == 0) return target;
  for (const Target target : cpu_targets)
    GSIM_VALIDATE(std::strcmp(requested, to_string(target)) != 0,
                  "GSIM_CPU_LEVEL=" + std::string(requested) +
                      " is not supported by this processor or not part of this build",
                  "choose one of " + to_string(available) + ", or unset it");
  throw InputError("GSIM_CPU_LEVEL=" + std::string(requested) +
                   " is not a CPU level; choose one of " + to_string(available) + ", or unset it");
}

int cgroup_processors(const std::string& mount, const std::string& proc_self_cgroup) {
  std::istringstream lines(proc_self_cgroup);
  std::string line, group;
  while (std::getline(lines, line))
    if (line.rfind("0::", 0) == 0) group = line.substr(3);  // the unified hierarchy
  if (group.empty()) return 0;
  int limit = 0;
  for (;;) {
    while (!group.empty() && group.back() == '/') group.pop_back();
    if (const int group_limit = read_cpu_max(mount + group + "/cpu.max"); group_limit > 0)
      limit = limit == 0 ? group_limit : std::min(limit, group_limit);
    if (group.empty()) return limit;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

namespace {

/// Calls read(mask, bytes) with the affinity mask of this thread; returns false if the system does
/// not provide it.
template <class Read>
bool read_affinity(Read read) {
  // The kernel rejects masks shorter than its own, which may exceed the 1024 processors of
  // cpu_set_t.
  for (int size = CPU_SETSIZE; size <= (1 << 20); size *= 4) {
    cpu_set_t* mask = CPU_ALLOC(size);
    if (mask == nullptr) return false;
    const std::size_t bytes = CPU_ALLOC_SIZE(size);
    const bool known = sched_getaffinity(0, bytes, mask) == 0;
    const int error = errno;
    if (known) read(mask, bytes);
    CPU_FREE(mask);
    if (known) return true;
    if (error != EINVAL) return false;
  }
  return false;
}

}  // namespace

int affinity_processors() {
  int count = 0;
  read_affinity(
      [&](const cpu_set_t* mask, std::size_t bytes) { count = CPU_COUNT_S(bytes, mask); });
  return count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace detail

const char* to_string(Target target) {
  switch (target) {
    case Target::base:
      return "base";
    case Target::avx2:
      return "avx2";
    case Target::avx512:
      return "avx512";
    case Target::cuda:
      return "cuda";
  }
  return "unknown";
}

std::string to_string(const std::vector<Target>& targets) {
  std::string text;
  for (const Target t : targets) text += (text.empty() ? "" : ", ") + std::string(to_string(t));
  return text;
}

std::vector<Target> processor_cpu_targets() {
  static const detail::ProcessorLevel best = detail::processor_level();
  std::vector<Target> targets{Target::base};
  if (best >= detail::ProcessorLevel::v3) targets.push_back(Target::avx2);
  if (best >= detail::ProcessorLevel::v4) targets.push_back(Target::avx512);
  return targets;
}

std::vector<Target> available_cpu_targets() {
  static const auto usable =
      detail::usable_cpu_targets(build_info().cpu_levels, processor_cpu_targets());
  return usable;
}

Target best_cpu_target() {
  return detail::choose_cpu_target(available_cpu_targets(), std::getenv("GSIM_CPU_LEVEL"));
}

std::bitset<1024> allowed_processors() {
  std::bitset<1024> allowed;
  detail::read_affinity([&](const cpu_set_t* mask, std::size_t bytes) {
    for (std::size_t p = 0; p < allowed.size(); ++p) allowed[p] = CPU_ISSET_S(p, bytes, mask) != 0;
  });
  return allowed;
}

int granted_processors() {
  return detail::cgroup_processors("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
}

int available_threads() {
  int threads = detail::affinity_processors();
  if (const int granted = granted_processors(); granted > 0) threads = std::min(threads, granted);
  if (const int cap = positive_environment_number("GSIM_NUM_THREADS"); cap > 0)
    threads = std::min(threads, cap);
  return std::max(1, threads);
}

}  // namespace gsim
