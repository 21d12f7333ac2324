// Tests the kernels of the variance gamma model: moments of the process, and the same bits at every
// CPU level.

#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "gsim/pricing/path_model_kind.hpp"
#include "gsim/random/stream.hpp"
#include "model.hpp"

GSIM_DECLARE_PATH_MODEL(variance_gamma)

using namespace gsim;
using namespace gsim::pricing;

namespace {

constexpr double sigma = 0.25, theta = -0.15, nu = 0.4;
constexpr Index steps = 3;

/// Log-spots [step][path] of a single asset with time steps `dt`.
template <class T>
std::vector<T> log_spots(double dt, Index paths, std::int32_t paths_per_sample, Target level) {
  const std::vector<double> exact = {sigma, theta, nu};
  const std::vector<T> number(exact.begin(), exact.end());
  std::vector<T> step;
  for (Index k = 0; k < steps; ++k)
    for (const double x : variance_gamma::numbers_of_step(
             exact, {dt * static_cast<double>(k), dt * static_cast<double>(k + 1), 0.02}))
      step.push_back(static_cast<T>(x));
  const std::vector<std::int32_t> record = {0, 1, 2};
  const AssetRows rows{.spot = 0, .log = 1};
  const T one = 1;
  std::vector<T> data(static_cast<std::size_t>(2 * steps * paths * paths_per_sample), T(NAN));
  PathModelJob<T> job{};
  job.terms = {number.data(), step.data(), variance_gamma::step_numbers};
  job.path = {.steps = steps,
              .record_of_step = record.data(),
              .spot = T(100),
              .rows = rows,
              .bounded = false};
  const auto key = [](Purpose purpose) { return stream_key({7, purpose}); };
  job.streams = {.uniforms = key(Purpose::pricing_jump_count),
                 .normals = key(Purpose::pricing_jump_size),
                 .bridge = key(Purpose::pricing_bridge),
                 .asset = 0,
                 .assets = 1,
                 .branches = {}};
  job.correlation = &one;
  job.factors = job.first_further = job.model_normals = 1;
  job.paths_per_sample = paths_per_sample;
  job.normals = key(Purpose::pricing_path_normals);
  job.tile = {data.data(), paths * paths_per_sample, 2, &rows};
  job.samples = paths;
  const PathModelLaunchers launch = GSIM_PATH_MODEL(variance_gamma);
  const Executor executor = Executor::host(1, level);
  if constexpr (sizeof(T) == 8)
    launch.f64_strict(executor, job);
  else
    launch.f32_strict(executor, job);
  std::vector<T> logs;
  Index differing = 0;  // spots that are not the exponential of the logarithm stored with them
  for (Index k = 0; k < steps; ++k)
    for (Index p = 0; p < paths * paths_per_sample; ++p) {
      const Index row = 2 * k * paths * paths_per_sample;
      const T x = data[static_cast<std::size_t>(row + paths * paths_per_sample + p)];
      const T spot = data[static_cast<std::size_t>(row + p)];
      const double ratio = static_cast<double>(spot) / (100 * std::exp(static_cast<double>(x)));
      differing += !(std::fabs(ratio - 1) < 1e-5);
      logs.push_back(x);
    }
  CHECK(differing == 0);
  return logs;
}

struct Mean {
  double value = 0, error = 0;
};
template <class F>
Mean mean(const std::vector<double>& x, F f) {
  const auto n = static_cast<double>(x.size());
  double sum = 0, squares = 0;
  for (const double v : x) sum += f(v);
  for (const double v : x) squares += (f(v) - sum / n) * (f(v) - sum / n);
  return {sum / n, std::sqrt(squares / n / n)};
}

}  // namespace

TEST_CASE("variance gamma: steps of any length have the moments of Madan, Carr and Chang") {
  constexpr Index paths = 1 << 17;
  for (const double dt :
       {0.02, 0.3, 0.4, 2.0}) {  // gamma shape parameters dt / nu of 0.05, 0.75, 1 and 5
    const auto logs = log_spots<double>(dt, paths, 1, available_cpu_targets().front());
    const double t = 3 * dt;
    const double s2 = sigma * sigma,
                 drift = variance_gamma::numbers_of_step(std::vector<double>{sigma, theta, nu},
                                                         {0, dt, 0.02})[variance_gamma::drift];
    // moments of X, eq. 18 of the paper
    const double second = (theta * theta * nu + s2) * t;
    const double third = (2 * theta * theta * theta * nu * nu + 3 * s2 * theta * nu) * t;
    const double fourth =
        (3 * s2 * s2 * nu + 12 * s2 * theta * theta * nu * nu +
         6 * std::pow(theta, 4) * nu * nu * nu) *
            t +
        (3 * s2 * s2 + 6 * s2 * theta * theta * nu + 3 * std::pow(theta, 4) * nu * nu) * t * t;
    std::vector<double> centred;
    for (std::size_t p = 0; p < static_cast<std::size_t>(paths); ++p)
      centred.push_back(logs[static_cast<std::size_t>(2 * paths) + p] - 3 * drift - theta * t);
    const auto check_mean = [&](const Mean& m, double expected) {
      CAPTURE(dt);
      CAPTURE(expected);
      CAPTURE(m.value);
      CHECK(m.error > 0);
      CHECK(std::fabs(m.value - expected) < 4 * m.error);
    };
    check_mean(mean(centred, [](double x) { return x; }), 0);
    check_mean(mean(centred, [](double x) { return x * x; }), second);
    check_mean(mean(centred, [](double x) { return x * x * x; }), third);
    check_mean(mean(centred, [](double x) { return x * x * x * x; }), fourth);
    // The discounted spot without dividends is a martingale.
    check_mean(mean(centred, [&](double x) { return std::exp(x + 3 * drift + theta * t - 0.06); }),
               1);
  }
}

TEST_CASE("variance gamma: paths have the same bits at every CPU level") {
  for (const double dt : {0.02, 2.0})
    for (const std::int32_t paths_per_sample : {1, 2}) {
      const auto first =
          log_spots<double>(dt, 4096, paths_per_sample, available_cpu_targets().front());
      const auto first_floats =
          log_spots<float>(dt, 4096, paths_per_sample, available_cpu_targets().front());
      for (const Target level : available_cpu_targets()) {
        CHECK(log_spots<double>(dt, 4096, paths_per_sample, level) == first);
        CHECK(log_spots<float>(dt, 4096, paths_per_sample, level) == first_floats);
      }
      // The precisions agree where both accept the same proposal of the rejection sampler, as they
      // do on nearly all paths.
      Index agreeing = 0;
      for (std::size_t i = 0; i < first.size(); ++i)
        agreeing += std::fabs(first[i] - static_cast<double>(first_floats[i])) < 1e-4;
      CHECK(static_cast<double>(agreeing) > 0.999 * static_cast<double>(first.size()));
    }
}
