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

#include "gsim/core/error.hpp"

#if defined(GSIM_HAS_X86_LEVELS)
#include <cpuid.h>
#endif

namespace gsim {
namespace {

constexpr Target cpu_targets[] = {Target::base, Target::avx2, Target::avx512};

#if defined(GSIM_HAS_X86_LEVELS)

// The levels are x86-64-v3 and x86-64-v4 of the x86-64 psABI, section 3.1.1. The compiler's AVX
// queries include whether the operating system saves the registers; three older instruction sets
// that it cannot be asked about are read from CPUID.
bool has_v3_integer_extensions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
  const bool movbe = c & (1u << 22), f16c = c & (1u << 29);
  if (!__get_cpuid(0x80000001u, &a, &b, &c, &d)) return false;
  const bool lzcnt = c & (1u << 5);
  return movbe && f16c && lzcnt;
}

Target processor_target() {
  __builtin_cpu_init();
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                  has_v3_integer_extensions();
  if (!v3) return Target::base;
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  return v4 ? Target::avx512 : Target::avx2;
}

#else

Target processor_target() { return Target::base; }

#endif

/// "MAX PERIOD" in microseconds, or "max PERIOD" (Linux, Documentation/admin-guide/cgroup-v2.rst).
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

Target choose_cpu_target(Target best, const char* wish) {
  if (wish == nullptr || *wish == '\0') return best;
  for (const Target target : cpu_targets) {
    if (std::strcmp(wish, to_string(target)) != 0) continue;
    GSIM_VALIDATE(target <= best,
                  "GSIM_CPU_LEVEL=" + std::string(wish) + " is more than this processor runs",
                  std::string("choose at most ") + to_string(best) + ", or unset it");
    return target;
  }
  throw InputError("GSIM_CPU_LEVEL=" + std::string(wish) +
                   " is no CPU level; choose base, avx2 or avx512, or unset it");
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
    if (const int here = read_cpu_max(mount + group + "/cpu.max"); here > 0)
      limit = limit == 0 ? here : std::min(limit, here);
    if (group.empty()) return limit;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

int positive_environment_number(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return 0;
  int value = 0;
  const char* last = text + std::strlen(text);
  const auto [end, error] = std::from_chars(text, last, value);
  GSIM_VALIDATE(error == std::errc() && end == last && value > 0,
                std::string(name) + "=" + text + " is not a positive whole number",
                "correct or unset it");
  return value;
}

int affinity_processors() {
  // The kernel refuses masks shorter than its own, which may exceed cpu_set_t's 1024 processors.
  for (int size = CPU_SETSIZE; size <= (1 << 20); size *= 4) {
    cpu_set_t* mask = CPU_ALLOC(size);
    if (mask == nullptr) break;
    const std::size_t bytes = CPU_ALLOC_SIZE(size);
    const bool known = sched_getaffinity(0, bytes, mask) == 0;
    const int error = errno;
    const int count = known ? CPU_COUNT_S(bytes, mask) : 0;
    CPU_FREE(mask);
    if (count > 0) return count;
    if (error != EINVAL) break;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
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

Target best_cpu_target() {
  static const Target best = processor_target();
  return detail::choose_cpu_target(best, std::getenv("GSIM_CPU_LEVEL"));
}

std::vector<Target> available_cpu_targets() {
  static const Target best = processor_target();
  std::vector<Target> targets;
  for (const Target target : cpu_targets)
    if (target <= best) targets.push_back(target);
  return targets;
}

int available_threads() {
  int threads = detail::affinity_processors();
  if (const int granted =
          detail::cgroup_processors("/sys/fs/cgroup", read_text("/proc/self/cgroup"));
      granted > 0)
    threads = std::min(threads, granted);
  if (const int cap = detail::positive_environment_number("GSIM_NUM_THREADS"); cap > 0)
    threads = std::min(threads, cap);
  return std::max(1, threads);
}

}  // namespace gsim
