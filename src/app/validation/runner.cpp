#include "runner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::app {
namespace {

const Estimate& find_estimate(const std::vector<Estimate>& list, const CaseSet& set) {
  for (const Estimate& e : list)
    if (e.name == set.estimate) return e;
  throw InputError(
      fmt::format("validation set {}: the run has no estimate named `{}`", set.id, set.estimate));
}

/// All runs of one case.
class CaseRuns {
 public:
  CaseRuns(const ValidationContext& v, const CaseSet& set, const ValidationCase& c)
      : v_(v), set_(set), case_(c) {}

  /// Runs the configuration until the estimate's standard error is at most `target`, or to its end.
  Estimate run_to_error(Index steps, double target) {
    std::vector<std::string> settings;
    for (const std::string& key : set_.refinement.keys)
      settings.push_back(fmt::format("{}={}", key, steps));
    // Every case and resolution has its own seed, so that cases are independent.
    ModuleRun run(v_, set_, case_, settings,
                  seed_of(fmt::format("{}/{}/{}", set_.id, case_.name, steps)));
    Estimate e;
    while (!run.is_done()) {
      run.advance();
      e = find_estimate(run.module().estimates(), set_);
      if (e.standard_error <= target && e.count > 0) break;
    }
    reached_ = reached_ && e.standard_error <= target && e.count > 0;
    samples_ += static_cast<double>(e.count);
    return e;
  }

  bool reached() const { return reached_; }    ///< whether every run reached its target
  double samples() const { return samples_; }  ///< sum over all runs

 private:
  const ValidationContext& v_;
  const CaseSet& set_;
  const ValidationCase& case_;
  bool reached_ = true;
  double samples_ = 0;
};

void set_estimate(const Estimate& e, CaseOutcome& o) {
  o.computed = e.mean;
  o.standard_error = e.standard_error;
  o.degrees_of_freedom = static_cast<double>(e.degrees_of_freedom);
}

// With weak order p, bias(h) = c h^p, so the gap between steps m h and h is m^p - 1 times the bias
// of h. One standard error of the gap is added, since it is itself an estimate. The gap between
// steps 4h and 2h would give the bias, too, but would need one more run, and its noise, which is
// larger, would be divided by 2 instead of 3 (at p = 1 and m = 4).
void refine(CaseRuns& runs, const Refinement& r, Index steps, double target, CaseOutcome& o) {
  set_estimate(runs.run_to_error(steps, target), o);
  const double coarse_target = std::min(target, o.standard_error) / std::sqrt(2.0);
  const Estimate coarse = runs.run_to_error(std::max<Index>(1, steps / r.coarser), coarse_target);
  const double gap = std::fabs(o.computed - coarse.mean);
  const double gap_error = std::hypot(o.standard_error, coarse.standard_error);
  o.bias_bound = (gap + gap_error) / (std::pow(static_cast<double>(r.coarser), r.order) - 1);
}

// Talay and Tubaro (1990), "Expansion of the global error for numerical schemes solving stochastic
// differential equations": P(h) = P + c h^p + d h^(p + 1), so with f = 2^p the estimate
// E(h) = (f P(h) - P(2h)) / (f - 1) has the bias -d h^(p + 1) f / (f - 1). A third run at m h gives
// d: in u P(h) + w P(2h) + P(m h) the first two terms cancel, which leaves
// d h^(p + 1) (u + 2 f w + m^(p + 1)). The runs are independent, so errors add in squares; `target`
// is divided between P(h) and P(2h) such that the total cost is minimal, where a run costs
// steps / error^2.
void extrapolate(CaseRuns& runs, const Refinement& r, Index steps, double target, CaseOutcome& o) {
  const double f = std::exp2(r.order), a = f / (f - 1), b = 1 / (f - 1);
  const double total =
      a + b * std::sqrt(0.5);  // so that a^2 fine_target^2 + b^2 coarse_target^2 = target^2
  const double fine_target = target / std::sqrt(a * total);
  const double coarse_target = target / std::sqrt(b * std::sqrt(2.0) * total);
  const Estimate fine_estimate = runs.run_to_error(steps, fine_target);
  const Estimate middle_estimate = runs.run_to_error(std::max<Index>(1, steps / 2), coarse_target);
  const Estimate coarse_estimate =
      runs.run_to_error(std::max<Index>(1, steps / r.coarser), coarse_target);
  o.computed = a * fine_estimate.mean - b * middle_estimate.mean;
  const double variance_1 = a * a * fine_estimate.standard_error * fine_estimate.standard_error;
  const double variance_2 = b * b * middle_estimate.standard_error * middle_estimate.standard_error;
  o.standard_error = std::sqrt(variance_1 + variance_2);
  o.degrees_of_freedom =
      combined_degrees(variance_1, static_cast<double>(fine_estimate.degrees_of_freedom),
                       variance_2, static_cast<double>(middle_estimate.degrees_of_freedom));
  const auto m = static_cast<double>(r.coarser);
  const double power = std::pow(m, r.order), u = (power - f) * b, w = (1 - power) * b;
  const double gap =
      std::fabs(u * fine_estimate.mean + w * middle_estimate.mean + coarse_estimate.mean);
  const double gap_error =
      std::hypot(u * fine_estimate.standard_error, w * middle_estimate.standard_error,
                 coarse_estimate.standard_error);
  o.bias_bound = a * (gap + gap_error) / (u + 2 * f * w + m * power);
}

void judge(CaseOutcome& o, bool reached) {
  const double difference = std::fabs(o.computed - o.reference);
  // An exact price has no error: if it equals its reference, its score is 0.
  o.z = difference == 0 ? 0 : (o.computed - o.reference) / o.standard_error;
  o.score = normal_score(o.z, o.degrees_of_freedom);
  // Cases with a bias bound are left out of chi-square whatever its size: the bound depends on the
  // estimate of the case itself, so that leaving out only cases with large bounds would be a
  // selection by z.
  // The tolerance, the accuracy of the reference, must be small compared with the error, too.
  o.in_chi_square = o.bias_bound == 0 && o.tolerance < o.standard_error / 3;
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
  const double relative = quick ? 1e-3 : 1e-4, relative_to_scale = quick ? 1e-5 : 1e-6;
  const double target = std::max(relative * std::fabs(c.reference), relative_to_scale * c.scale);
  const Refinement& r = set.refinement;
  const Index steps = quick ? r.quick : r.full;
  CaseOutcome o;
  o.set = set.id, o.name = c.name, o.citation = set.citation, o.check = set.check;
  o.reference = c.reference, o.published = c.published, o.has_published = c.has_published;
  o.tolerance = c.tolerance;
  CaseRuns runs(v, set, c);
  const auto start = std::chrono::steady_clock::now();
  try {
    if (r.keys.empty())
      set_estimate(runs.run_to_error(0, target), o);
    else if (r.extrapolate)
      extrapolate(runs, r, steps, target, o);
    else
      refine(runs, r, steps, target, o);
    judge(o, runs.reached());
  } catch (const Error& error) {
    if (v.communicator.size() > 1 && !error.is_agreed())
      throw;  // an error of this rank alone ends all ranks
    o.reason = error.what();
  }
  o.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  o.samples = runs.samples();
  return o;
}

ChiSquare chi_square(const std::vector<CaseOutcome>& outcomes) {
  ChiSquare result;
  for (const CaseOutcome& o : outcomes)
    if (o.in_chi_square) {
      result.value += o.score * o.score;
      ++result.degrees_of_freedom;
    }
  if (result.degrees_of_freedom == 0) return result;
  const double p =
      incomplete_gamma(0.5 * static_cast<double>(result.degrees_of_freedom), 0.5 * result.value);
  result.p_value = 2 * std::min(p, 1 - p);
  result.passed = result.p_value >= 1e-3;
  return result;
}

}  // namespace gsim::app
