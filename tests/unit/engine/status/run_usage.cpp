// What a run uses: counters of energy, a GPU, and the measurements of several ranks together.

#include "src/engine/status/run_usage.hpp"

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>

#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::engine;

namespace {

void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path) << text << '\n';
}

/// A counter as Linux publishes it, of `microjoules` below `range`.
void write_counter(const test::ScratchFolder& folder, const std::string& domain,
                   const std::string& name, double microjoules, double range = 1e9) {
  std::filesystem::create_directories(folder / domain);
  write_file(folder / (domain + "/name"), name);
  write_file(folder / (domain + "/energy_uj"), std::to_string(std::llround(microjoules)));
  write_file(folder / (domain + "/max_energy_range_uj"), std::to_string(std::llround(range)));
}

}  // namespace

TEST_CASE("energy meter: packages and memory are added, and counters wrap") {
  const test::ScratchFolder folder;
  CHECK(std::isnan(EnergyMeter(folder / "nothing").joules()));
  write_counter(folder, "intel-rapl:0", "package-0", 5e8);
  write_counter(folder, "intel-rapl:0:0", "core", 0);  // part of the package
  write_counter(folder, "intel-rapl:0:1", "dram", 9e8);
  write_counter(folder, "intel-rapl:1", "psys", 0);            // the whole machine
  write_counter(folder, "intel-rapl-mmio:0", "package-0", 0);  // the same counter once more
  EnergyMeter meter(folder.path().string());
  CHECK(meter.has_counters());
  CHECK(meter.joules() == 0);
  for (const char* other : {"intel-rapl:0:0", "intel-rapl:1", "intel-rapl-mmio:0"})
    write_file(folder / (std::string(other) + "/energy_uj"), "700000000");
  write_file(folder / "intel-rapl:0/energy_uj", "503000000");
  write_file(folder / "intel-rapl:0:1/energy_uj", "2000000");  // behind the wrap at 1e9
  CHECK(meter.joules() == doctest::Approx(3 + 102));
  write_file(folder / "intel-rapl:0/energy_uj", "504000000");
  CHECK(meter.joules() == doctest::Approx(4 + 102));
}

TEST_CASE("GPU monitor: what the driver's library tells, and nothing without it") {
  const GpuMonitor none("GPU-1", "libgsim_no_such_library.so");
  CHECK(std::isnan(none.read().joules));
  const GpuMonitor unknown_gpu("GPU-2", GSIM_STAND_IN_NVML);
  CHECK(std::isnan(unknown_gpu.read().joules));
  CHECK(std::isnan(unknown_gpu.read().utilization));
  const GpuMonitor gpu("GPU-1", GSIM_STAND_IN_NVML);
  CHECK(gpu.read().joules == doctest::Approx(2.5));
  const GpuReading reading = gpu.read();
  CHECK(reading.joules == doctest::Approx(5.0));
  CHECK(reading.utilization == doctest::Approx(0.92));
  CHECK(reading.memory_bytes == 400);
}

TEST_CASE("combine: hosts and GPUs that ranks share count once") {
  std::vector<RankUsage> ranks(4);
  for (std::size_t r = 0; r < 4; ++r) {
    ranks[r].host = r < 2 ? 10 : 11;
    ranks[r].gpu = r < 3 ? 20 : 21;
    ranks[r].threads = 3;
    ranks[r].peak_memory_bytes = 100.0 * static_cast<double>(r + 1);
    ranks[r].busy_seconds = r == 3 ? 2.0 : 1.0;
    ranks[r].cpu_joules = r < 2 ? 7 : not_measured;  // no counter on the second host
    ranks[r].gpu_reading = {r < 3 ? 50.0 : 30.0, r < 3 ? 0.5 : 0.9, 1000};
  }
  const RunUsage all = combine(ranks);
  CHECK(all.ranks == 4);
  CHECK(all.threads == 12);
  CHECK(all.hosts == 2);
  CHECK(all.gpus == 2);
  CHECK(all.peak_memory_bytes == 1000);
  CHECK(all.largest_peak_memory_bytes == 400);
  CHECK(all.imbalance == doctest::Approx(2 / 1.25 - 1));
  CHECK(all.cpu_joules == 7);
  CHECK(all.gpu_joules == 80);
  CHECK(all.gpu_utilization == doctest::Approx(0.7));
  CHECK(all.gpu_memory_bytes == 2000);
  const RunUsage host = combine(std::vector<RankUsage>(1));
  CHECK(host.gpus == 0);
  CHECK(std::isnan(host.imbalance));
  CHECK(std::isnan(host.gpu_utilization));
  CHECK(std::isnan(host.cpu_joules));
}

TEST_CASE("peak_memory_bytes: the most memory so far") {
  const double before = peak_memory_bytes();
  CHECK(before > 1e6);
  const std::size_t more = 50'000'000;
  { const std::vector<char> block(static_cast<std::size_t>(before) + more, 1); }
  const double after = peak_memory_bytes();
  CHECK(after - before > 0.8 * static_cast<double>(more));
  CHECK(after < 2 * before + 2 * static_cast<double>(more));
}
