// benchmark_pricing [--seconds S] [--rounds N] [--level base|avx2|avx512] [--json FILE] [--only
// TEXT]
//                   [--run NAME SAMPLES]
//
// Runs gsim, the plain scalar loop and QuantLib alternately, N rounds of about S seconds each, all
// on one thread, and prints path-steps per second, ratios of medians, and the time to a standard
// error of 1e-3 of the price. --run executes one competitor alone (for counting instructions with
// callgrind).

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "cases.hpp"
#include "gsim/core/error.hpp"
#include "src/modules/pricing/paths/path_engine.hpp"

namespace gsim::benchmark {
namespace {

struct Competitor {
  std::string name;
  std::function<Result(const Case&, long)> run;
  std::vector<double> rates;  // path-steps per second, one per round
  Result last;
};

Result run_gsim(const Case& c, long samples, Precision precision, Arithmetic arithmetic,
                Target level) {
  const pricing::Simulation simulation = make_simulation(c, precision, arithmetic);
  const Index blocks = std::max<Index>(1, samples / simulation.block_samples);
  const auto engine = pricing::make_path_engine(Executor::host(1, level), simulation);
  const std::uint8_t active = 1;
  const auto start = std::chrono::steady_clock::now();
  const auto statistics = engine->run({0, blocks}, std::span(&active, 1));
  const std::chrono::duration<double> t = std::chrono::steady_clock::now() - start;
  pricing::BlockStatistics all = statistics.front();
  for (std::size_t b = 1; b < statistics.size(); ++b) all = merge(all, statistics[b]);
  return {t.count(), all.count, all.mean_x, std::sqrt(all.m_xx / (all.count - 1) / all.count)};
}

std::vector<Competitor> competitors(Target level) {
  auto gsim_with = [level](Precision p, Arithmetic a) {
    return [=](const Case& c, long n) { return run_gsim(c, n, p, a, level); };
  };
  std::vector<Competitor> list;
  list.push_back({"scalar loop", run_scalar, {}, {}});
  if (have_quantlib()) list.push_back({"QuantLib", run_quantlib, {}, {}});
  list.push_back({"gsim strict double", gsim_with(Precision::float64, Arithmetic::strict), {}, {}});
  list.push_back({"gsim fast double", gsim_with(Precision::float64, Arithmetic::fast), {}, {}});
  list.push_back({"gsim strict float", gsim_with(Precision::float32, Arithmetic::strict), {}, {}});
  list.push_back({"gsim fast float", gsim_with(Precision::float32, Arithmetic::fast), {}, {}});
  return list;
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

double load_average() {
  std::ifstream file("/proc/loadavg");
  double load = -1;
  file >> load;
  return load;
}

struct Options {
  double seconds = 0.3;
  int rounds = 5;
  Target level = best_cpu_target();
  std::string json, only, run;
  long samples = 0;
};

Target level_from(const std::string& word) {
  for (Target t : available_cpu_targets())
    if (word == to_string(t)) return t;
  throw InputError(fmt::format("this processor or build has no CPU level `{}`", word));
}

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string key = argv[i];
    auto value = [&] {
      if (i + 1 >= argc) throw InputError(key + " needs a value");
      return std::string(argv[++i]);
    };
    if (key == "--seconds")
      o.seconds = std::stod(value());
    else if (key == "--rounds")
      o.rounds = std::stoi(value());
    else if (key == "--level")
      o.level = level_from(value());
    else if (key == "--json")
      o.json = value();
    else if (key == "--only")
      o.only = value();
    else if (key == "--run")
      o.run = value(), o.samples = std::stol(value());
    else
      throw InputError("unknown option " + key + "; see the head of main.cpp");
  }
  return o;
}

// The number of samples for which one competitor takes about `seconds`.
long calibrate(const Competitor& k, const Case& c, double seconds) {
  long samples = 4096;
  for (;;) {
    const Result r = k.run(c, samples);
    if (r.seconds > seconds / 4 || samples > (1L << 30)) {
      const double required = static_cast<double>(samples) * seconds / r.seconds;
      return std::max<long>(4096, static_cast<long>(required) / 4096 * 4096);
    }
    samples *= 4;
  }
}

void measure(const Case& c, std::vector<Competitor>& list, const Options& o) {
  std::vector<long> samples;
  for (const auto& k : list) samples.push_back(calibrate(k, c, o.seconds));
  for (int round = 0; round < o.rounds; ++round)
    for (std::size_t i = 0; i < list.size(); ++i) {
      list[i].last = list[i].run(c, samples[i]);
      list[i].rates.push_back(list[i].last.samples * c.steps * c.assets / list[i].last.seconds);
    }
}

void print_case(const Case& c, const std::vector<Competitor>& list, std::string& json) {
  const double scalar = median(list[0].rates);
  const double quantlib = have_quantlib() ? median(list[1].rates) : 0;
  fmt::print("{}\n  {:<20} {:>12} {:>10} {:>11} {:>11} {:>10} {:>16}\n", c.name, "", "M steps/s",
             "x scalar", "x QuantLib", "price", "error", "s to 1e-3 error");
  for (const auto& k : list) {
    const double rate = median(k.rates), relative = k.last.standard_error / k.last.price / 1e-3;
    const double samples_needed = k.last.samples * relative * relative;
    const double seconds = samples_needed * c.steps * c.assets / rate;
    fmt::print("  {:<20} {:>12.1f} {:>10.2f} {:>11} {:>11.5f} {:>10.2e} {:>16.4f}\n", k.name,
               rate / 1e6, rate / scalar,
               quantlib > 0 ? fmt::format("{:.1f}", rate / quantlib) : "-", k.last.price,
               k.last.standard_error, seconds);
    json += fmt::format(
        "{}    {{\"case\": \"{}\", \"competitor\": \"{}\", \"path_steps_per_second\": {:.5g}, "
        "\"ratio_to_scalar\": {:.4g}, \"ratio_to_quantlib\": {:.4g}, \"price\": {:.8g}, "
        "\"standard_error\": {:.4g}, \"seconds_to_relative_error_1e-3\": {:.4g}}}",
        json.empty() ? "" : ",\n", c.name, k.name, rate, rate / scalar,
        quantlib > 0 ? rate / quantlib : 0.0, k.last.price, k.last.standard_error, seconds);
  }
}

int run(const Options& o) {
  if (!o.run.empty()) {  // one competitor on the cases chosen by --only
    for (auto& k : competitors(o.level))
      for (const Case& c : cases())
        if (k.name == o.run && c.name.find(o.only) != std::string::npos) {
          const Result r = k.run(c, o.samples);
          fmt::print("{} {} samples {} path-steps {} rate {:.1f}e6/s\n", k.name, c.name, r.samples,
                     r.samples * c.steps * c.assets,
                     r.samples * c.steps * c.assets / r.seconds / 1e6);
        }
    return 0;
  }
  const double load = load_average();
  fmt::print(
      "one thread each, {} alternating rounds of about {} s, medians; load average at start "
      "{:.2f}\n"
      "gsim at CPU level {}; scalar loop {} {}; QuantLib {} (as packaged)\n\n",
      o.rounds, o.seconds, load, to_string(o.level), GSIM_COMPILER, GSIM_SCALAR_FLAGS,
      quantlib_version());
  std::string rows;
  for (const Case& c : cases()) {
    if (c.name.find(o.only) == std::string::npos) continue;
    auto list = competitors(o.level);
    measure(c, list, o);
    print_case(c, list, rows);
    fmt::print("\n");
    std::fflush(stdout);
  }
  if (!o.json.empty()) {
    std::ofstream file(o.json);
    file << fmt::format(
        "{{\n  \"level\": \"{}\", \"rounds\": {}, \"load_average\": {}, \"compiler\": \"{}\",\n"
        "  \"quantlib\": \"{}\",\n  \"rows\": [\n{}\n  ]\n}}\n",
        to_string(o.level), o.rounds, load, GSIM_COMPILER, quantlib_version(), rows);
    if (!file) throw IoError("cannot write " + o.json);
  }
  return 0;
}

}  // namespace
}  // namespace gsim::benchmark

int main(int argc, char** argv) {
  try {
    return gsim::benchmark::run(gsim::benchmark::parse(argc, argv));
  } catch (const gsim::Error& e) {
    fmt::print(stderr, "error: {}\n", e.what());
    return static_cast<int>(e.exit_code());
  }
}
