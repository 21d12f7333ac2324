#include "src/exec/cpu_target.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include "gsim/core/error.hpp"

using namespace gsim;
using namespace gsim::detail;

namespace {

/// Sets an environment variable for the lifetime of the object.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old_value = ::getenv(name)) {
      was_set_ = true;
      old_value_ = old_value;
    }
    ::setenv(name, value, 1);
  }
  ~Environment() {
    if (was_set_)
      ::setenv(name_, old_value_.c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  bool was_set_ = false;
  std::string old_value_;
};

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

TEST_CASE(
    "CPU levels: the best level of the build is used unless GSIM_CPU_LEVEL names another one") {
  const std::vector<Target> all_levels{Target::base, Target::avx2, Target::avx512},
      two_levels{Target::base, Target::avx2};
  CHECK(choose_cpu_target(all_levels, nullptr) == Target::avx512);
  CHECK(choose_cpu_target(two_levels, "") == Target::avx2);
  CHECK(choose_cpu_target(all_levels, "avx2") == Target::avx2);
  CHECK(choose_cpu_target(all_levels, "base") == Target::base);
  CHECK_THROWS_AS(choose_cpu_target(two_levels, "avx512"), InputError);
  CHECK_THROWS_AS(choose_cpu_target({Target::avx512}, "base"), InputError);
  CHECK_THROWS_AS(choose_cpu_target(all_levels, "AVX2"), InputError);
  CHECK_THROWS_AS(choose_cpu_target(all_levels, "cuda"), InputError);
  const Target lowest = available_cpu_targets().front();
  const Environment level("GSIM_CPU_LEVEL", to_string(lowest));
  CHECK(best_cpu_target() == lowest);
}

TEST_CASE("CPU levels: those of the processor ascend from base, and the build has some of them") {
  const Environment level("GSIM_CPU_LEVEL", "");
  const auto runnable = processor_cpu_targets(), targets = available_cpu_targets();
  REQUIRE(!targets.empty());
  CHECK(runnable.front() == Target::base);
  CHECK(targets.back() == best_cpu_target());
  for (std::size_t i = 1; i < runnable.size(); ++i) CHECK(runnable[i - 1] < runnable[i]);
  CHECK(std::includes(runnable.begin(), runnable.end(), targets.begin(), targets.end()));
}

TEST_CASE(
    "CPU levels: a build without a level that the processor supports is an error with a remedy") {
  const std::vector<Target> two_levels{Target::base, Target::avx2};
  CHECK(usable_cpu_targets("base avx2 avx512", two_levels) == two_levels);
  CHECK(usable_cpu_targets("avx512 avx2", two_levels) == std::vector<Target>{Target::avx2});
  std::string message;
  try {
    usable_cpu_targets("avx512", two_levels);
  } catch (const InputError& e) {
    message = e.what();
  }
  for (const char* word : {"avx512", "base, avx2", "GSIM_CPU_LEVELS=all"})
    CHECK(message.find(word) != std::string::npos);
}

TEST_CASE(
    "available threads: the smallest cpu.max of a control group and its parents limits them") {
  // cpu.max: quota and period of processor time; the quotient is rounded up, 0 means no limit.
  std::string dir = (std::filesystem::temp_directory_path() / "gsim-cgroup-XXXXXX").string();
  REQUIRE(::mkdtemp(dir.data()) != nullptr);
  write(dir + "/a/cpu.max", "250000 100000\n");
  write(dir + "/a/b/cpu.max", "max 100000\n");
  write(dir + "/a/b/c/cpu.max", "800000 100000\n");
  CHECK(cgroup_processors(dir, "0::/a/b/c\n") == 3);
  CHECK(cgroup_processors(dir, "12:cpu:/x\n0::/a/b\n") == 3);
  CHECK(cgroup_processors(dir, "0::/\n") == 0);
  CHECK(cgroup_processors(dir, "0::/elsewhere/a\n") == 0);
  CHECK(cgroup_processors(dir, "") == 0);
  write(dir + "/cpu.max", "50000 100000\n");
  CHECK(cgroup_processors(dir, "0::/\n") == 1);
  CHECK(cgroup_processors(dir, "0::/a/b/c\n") == 1);
  write(dir + "/cpu.max", "garbage\n");
  CHECK(cgroup_processors(dir, "0::/\n") == 0);
  std::filesystem::remove_all(dir);
}

TEST_CASE("available threads: the affinity mask and GSIM_NUM_THREADS limit them") {
  int threads_with_mask = 0;
  std::thread([&] {  // the mask belongs to a thread
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CPU_SET(sched_getcpu(), &mask);
    REQUIRE(sched_setaffinity(0, sizeof mask, &mask) == 0);
    threads_with_mask = available_threads();
  })
      .join();
  CHECK(threads_with_mask == 1);
  {
    const Environment threads("GSIM_NUM_THREADS", "1");
    CHECK(available_threads() == 1);
  }
  for (const char* invalid : {"0", "-1", "two", "2x", " 2", "99999999999"}) {
    const Environment threads("GSIM_NUM_THREADS", invalid);
    CHECK_THROWS_AS(available_threads(), InputError);
  }
  const Environment threads("GSIM_NUM_THREADS", "1000000");
  CHECK(available_threads() <= affinity_processors());
}
