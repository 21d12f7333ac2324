#include "runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "gsim/engine/driver.hpp"

namespace gsim::app {
namespace {

struct Run {
  Estimate estimate;
  bool reached = false;  // the error target
};

// FNV-1a: a seed of its own for every case and resolution, so that cases are independent.
std::uint64_t seed_of(const std::string& text) {
  std::uint64_t h = 1469598103934665603ull;
  for (const unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h >> 12;
}

const Estimate& find_estimate(const std::vector<Estimate>& list, const CaseSet& set) {
  for (const Estimate& e : list)
    if (e.name == set.estimate) return e;
  throw InputError(
      fmt::format("validation set {}: the run has no estimate named `{}`", set.id, set.estimate));
}

// Runs the configuration until the estimate's standard error is at most `target`.
Run run_to_error(const ValidationContext& v, const CaseSet& set, const ValidationCase& c,
                 Index steps, double target) {
  ConfigFile config = ConfigFile::parse(c.config, fmt::format("{} [{}]", set.id, c.name));
  for (const std::string& key : set.refinement.keys) config.set(fmt::format("{}={}", key, steps));
  RunOptions options;
  const std::unique_ptr<Module> module = v.registry->find(v.module).factory();
  config.read([&](Section& top) {
    options.describe(top);
    module->configure(top);
  });
  StopRule stop;  // the error target is judged here, the most samples by the module
  stop.max_samples = options.stop.max_samples;
  Context context{v.communicator,
                  v.executor,
                  options.arithmetic,
                  seed_of(fmt::format("{}/{}/{}", set.id, c.name, steps)),
                  stop,
                  config.directory(),
                  [](const std::string&) {}};
  const WorkPlan plan = module->plan(context);
  module->prepare();
  for (Index done = 0; done < plan.total_units;) {
    const Index next = std::min(module->next_evaluation(done), plan.total_units);
    module->advance(done, next - done);
    done = next;
    module->evaluate(done);
    const std::string trouble = module->health();
    if (!trouble.empty()) throw NumericalError(fmt::format("{} [{}]: {}", set.id, c.name, trouble));
    const Estimate e = find_estimate(module->estimates(), set);
    if (e.standard_error <= target && e.count > 0) return {e, true};
  }
  return {find_estimate(module->estimates(), set), false};
}

// With weak order p, bias(h) = c h^p, so the gap between steps 2h and 4h is c h^p 2^p (2^p - 1).
// One standard error of the gap is added, since it is itself an estimate.
double bias_bound(const ValidationContext& v, const CaseSet& set, const ValidationCase& c,
                  Index steps, double target) {
  const double coarse_target = target / std::sqrt(2.0);
  const Estimate twice =
      run_to_error(v, set, c, std::max<Index>(1, steps / 2), coarse_target).estimate;
  const Estimate four =
      run_to_error(v, set, c, std::max<Index>(1, steps / 4), coarse_target).estimate;
  const double gap = std::fabs(twice.mean - four.mean);
  const double gap_error = std::hypot(twice.standard_error, four.standard_error);
  const double factor = std::exp2(set.refinement.order);
  return (gap + gap_error) / (factor * (factor - 1));
}

void judge(CaseOutcome& o, bool reached) {
  const double difference = std::fabs(o.computed - o.reference);
  o.z = (o.computed - o.reference) / o.standard_error;
  o.in_chi_square = o.tolerance + o.bias_bound < o.standard_error / 3;
  if (!reached)
    o.reason = "the standard error did not reach its target";
  else if (!(o.bias_bound <= 2 * o.standard_error))
    o.reason = "the bias bound exceeds 2 standard errors: refine the step";
  else if (!(difference <= 4 * o.standard_error + o.tolerance + o.bias_bound))
    o.reason = "differs by more than 4 standard errors + tolerance + bias bound";
  o.passed = o.reason.empty();
}

}  // namespace

CaseOutcome run_case(const ValidationContext& v, const CaseSet& set, const ValidationCase& c) {
  const bool quick = v.level == ValidationLevel::quick;
  const double relative = quick ? 1e-3 : 1e-4, of_scale = quick ? 1e-5 : 1e-6;
  const double target = std::max(relative * std::fabs(c.reference), of_scale * c.scale);
  const Index steps =
      set.refinement.keys.empty() ? 0 : (quick ? set.refinement.quick : set.refinement.full);
  CaseOutcome o;
  o.set = set.id, o.name = c.name, o.citation = set.citation;
  o.reference = c.reference, o.published = c.published, o.has_published = c.has_published;
  o.tolerance = c.tolerance;
  const auto start = std::chrono::steady_clock::now();
  const Run run = run_to_error(v, set, c, steps, target);
  if (steps > 0) o.bias_bound = bias_bound(v, set, c, steps, target);
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.computed = run.estimate.mean;
  o.standard_error = run.estimate.standard_error;
  o.samples = static_cast<double>(run.estimate.count);
  judge(o, run.reached);
  return o;
}

double incomplete_gamma(double a, double x) {
  if (x <= 0) return 0;
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {  // series 6.5.29
    double term = 1 / a, sum = term;
    for (int n = 1; n < 10000 && term > 1e-16 * sum; ++n) sum += term *= x / (a + n);
    return front * sum;
  }
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;  // continued fraction 6.5.31, Lentz's method
  for (int n = 1; n < 10000; ++n) {
    const double an = -n * (n - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    const double factor = c * d;
    h *= factor;
    if (std::fabs(factor - 1) < 1e-15) break;
  }
  return 1 - front * h;
}

ChiSquare chi_square(const std::vector<CaseOutcome>& outcomes) {
  ChiSquare result;
  for (const CaseOutcome& o : outcomes)
    if (o.in_chi_square) {
      result.value += o.z * o.z;
      ++result.degrees;
    }
  if (result.degrees == 0) return result;
  const double p = incomplete_gamma(0.5 * static_cast<double>(result.degrees), 0.5 * result.value);
  result.p_value = 2 * std::min(p, 1 - p);
  result.passed = result.p_value >= 1e-3;
  return result;
}

}  // namespace gsim::app
