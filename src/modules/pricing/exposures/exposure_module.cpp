#include "src/modules/pricing/exposures/exposure_module.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/engine/slice_progress.hpp"
#include "src/modules/pricing/checks/limits.hpp"
#include "src/modules/pricing/checks/memory_forecast.hpp"
#include "src/modules/pricing/checks/portfolio_input.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/exercise/exercise_policies.hpp"
#include "src/modules/pricing/exposures/exposure_numbers.hpp"

namespace gsim::pricing {
namespace {

constexpr Index default_paths = 1 << 18;
constexpr Index fewest_units = 8;  ///< before errors are judged, and in a run
/// What is resident between the arrays of a unit, as a share of them, which differs from run to run
/// between 0.1 and 0.3, and what each thread keeps of freed memory, bytes; measured.
constexpr double share_of_holes = 0.27, thread_bytes = 1.5e6;

}  // namespace

void ExposureModule::describe(Section& top) {
  describe_pricing(top, config_, payoffs_, models_);
  describe_exposure(top, config_, options_);
}

void ExposureModule::validate() {
  const PricingOptions& o = config_.options;
  check_is_double_without_greeks(o, "exposure");
  check_no_trade_targets(config_.trades, "exposure");
  GSIM_VALIDATE(!o.antithetic && !o.conditional,
                "pricing.antithetic and pricing.conditional have no effect on exposures",
                "leave them out");
}

WorkPlan ExposureModule::plan(const Context& context) {
  context_ = std::make_unique<Context>(context);
  dates_ = make_exposure_dates(options_);
  const Index paths = context.stop.max_samples > 0 ? context.stop.max_samples : default_paths;
  total_units_ = std::max((paths + options_.paths - 1) / options_.paths, fewest_units);
  if (total_units_ == fewest_units && context.stop.max_samples > 0 &&
      total_units_ * options_.paths > context.stop.max_samples && context.warn)
    context.warn(fmt::format("stop.samples = {} is rounded up to {}: {} units of {} paths",
                             context.stop.max_samples, total_units_ * options_.paths, fewest_units,
                             options_.paths));
  config_.options.exercise.upper_bound = false;  // not used
  const PricingSetup setup = set_up_paths(config_, context.arithmetic, context.seed);
  const PortfolioSize size = try_trade_setups(config_, setup);
  check_limits(config_, setup);
  valuation_ = std::make_unique<NettingSetValuation>(config_, options_, dates_.valuations, context);

  WorkPlan plan;
  plan.unit_name = "unit";
  plan.estimate_name = "measure";
  plan.total_units = total_units_;
  plan.summary = fmt::format("{} trades in {} netting sets, {} dates", config_.trades.size(),
                             set_count(), options_.dates.size());
  plan.item_name = "trade values";
  plan.items_per_unit = static_cast<double>(config_.trades.size()) *
                        static_cast<double>(dates_.valuations.size()) *
                        static_cast<double>(options_.paths);
  plan.samples_per_unit = options_.paths;
  plan.units_at_once = context.planned_ranks();
  const double unit_bytes = valuation_->bytes();
  // The policies of early exercise are found before the first unit.
  const double largest_bytes =
      std::max(exercise_bytes(size, config_.options.exercise, context.planned_ranks()),
               (1 + share_of_holes) * unit_bytes);
  const double threads = context.executor.is_cuda() ? 1 : context.executor.threads();
  plan.bytes_per_rank = memory_forecast(setup.simulation, size, largest_bytes, context.executor,
                                        EvaluationSchedule(1, Sampling::pseudo_random, 1)) +
                        static_cast<double>(total_units_ * numbers_per_unit()) * sizeof(double) +
                        thread_bytes * threads;
  plan.notes.push_back(fmt::format("units of {} paths, at most {}; regressions on {} further paths",
                                   options_.paths, total_units_, options_.regression_paths));
  plan.notes.push_back(fmt::format("{} trades are valued by formulas, the others by regressions",
                                   valuation_->closed_trades()));
  if (valuation_->incomplete_trades() > 0 && context.warn)
    context.warn(fmt::format(
        "trades that may depend on more of the past than the variables of their regressions, "
        "payoffs of scripts and plugins with several dates, and cliquets between their dates on "
        "assets with local volatility or discrete dividends: {}; their exposures are then too "
        "small",
        valuation_->incomplete_trades()));
  report_doubtful_input(
      config_, setup, {total_units_ * options_.paths, "stop.samples"}, context,
      fmt::format("trades skipped because of bad data: {}; no exposure includes them, and the "
                  "results list them",
                  config_.skipped.size()),
      plan);
  return plan;
}

void ExposureModule::prepare() {
  results_.clear();
  find_exercise_policies(config_, *context_);
  check_exercise(config_, "leave the trade out");
}

Index ExposureModule::next_evaluation(Index done) const {
  Index point = fewest_units;
  while (point <= done) point *= 2;
  return std::min(point, total_units_);
}

Index ExposureModule::numbers_per_set() const {
  return scalar_count + profile_count * static_cast<Index>(dates_.times.size());
}

Index ExposureModule::unit_count() const {
  return static_cast<Index>(results_.size()) / numbers_per_unit();
}

std::vector<double> ExposureModule::compute(Index unit,
                                            const std::function<void(double)>& report) const {
  const NettingSetValues values = valuation_->evaluate(unit, report);
  std::vector<double> row;
  for (Index set = 0; set < set_count(); ++set) {
    const WrongWayTerms& wrong_way = options_.sets[static_cast<std::size_t>(set)].wrong_way;
    std::vector<double> weights;
    if (wrong_way.asset >= 0)
      weights = wrong_way_weights(options_, dates_, set, unit, context_->seed,
                                  valuation_->spot_normals(unit, wrong_way.asset));
    const ExposureProfile profile =
        exposure_profile(config_, options_, dates_, values, set, weights);
    for (const ScalarInfo& info : scalars) row.push_back(profile.*info.value);
    for (const ProfileInfo& info : profiles)
      row.insert(row.end(), (profile.*info.values).begin(), (profile.*info.values).end());
  }
  return row;
}

void ExposureModule::advance(Index first, Index count) {
  const Communicator& ranks = context_->communicator;
  const IndexRange mine = shares_.divide(ranks, {first, first + count}).range(ranks.rank());
  std::vector<double> rows;
  double seconds = 0;
  ranks.agree([&] {
    const Stopwatch stopwatch;
    for (Index unit = mine.first; unit < mine.last; ++unit) {
      const std::vector<double> row = compute(unit, [&](double share) {
        report_share_of_slice((static_cast<double>(unit - mine.first) + share) /
                              static_cast<double>(mine.size()));
      });
      rows.insert(rows.end(), row.begin(), row.end());
    }
    seconds = stopwatch.seconds();
  });
  shares_.measure(ranks, mine.size(), seconds);
  const RegionTimer::Scope gathering(context_->timer.get(), "reduce");
  const std::vector<double> all = ranks.allgather<double>(rows);
  results_.insert(results_.end(), all.begin(), all.end());
}

Estimate ExposureModule::estimate(Index set, Index number) const {
  Estimate e;
  e.unit = "currency";
  const Index units = unit_count();
  e.count = units * options_.paths;
  if (units < 2) return e;
  const auto at = [&](Index unit) {
    return results_[static_cast<std::size_t>(unit * numbers_per_unit() + set * numbers_per_set() +
                                             number)];
  };
  const auto n = static_cast<double>(units);
  double squares = 0;
  for (Index unit = 0; unit < units; ++unit) e.mean += at(unit) / n;
  for (Index unit = 0; unit < units; ++unit) squares += square(at(unit) - e.mean);
  e.standard_error = std::sqrt(squares / (n * (n - 1)));
  e.degrees_of_freedom = units - 1;
  return e;
}

Index ExposureModule::position(int profile, Index time) const {
  return scalar_count + profile * static_cast<Index>(dates_.times.size()) + time;
}

bool ExposureModule::is_requested(Index set, int scalar) const {
  switch (scalar) {
    case cva_position:
      return options_.sets[static_cast<std::size_t>(set)].credit != nullptr;
    case dva_position:
      return options_.own_credit != nullptr;
    case funding_cost_position:
      return options_.borrowing_spread != 0;
    case funding_benefit_position:
      return options_.lending_spread != 0;
    default:
      return true;
  }
}

bool ExposureModule::is_judged(Index set, int scalar) const {
  return scalar == (is_requested(set, cva_position) ? cva_position : average_position);
}

Estimate ExposureModule::named_estimate(Index set, int scalar) const {
  Estimate e = estimate(set, scalar);
  e.name = fmt::format("{} {}", scalars[scalar].title,
                       options_.sets[static_cast<std::size_t>(set)].name);
  e.is_judged = is_judged(set, scalar);
  e.converged = e.is_judged && context_->stop.has_error_target() && context_->stop.converged(e);
  return e;
}

std::vector<Estimate> ExposureModule::estimates() const {
  std::vector<Estimate> list;
  for (Index set = 0; set < set_count(); ++set)
    for (int scalar = 0; scalar < scalar_count; ++scalar)
      if (is_requested(set, scalar)) list.push_back(named_estimate(set, scalar));
  return list;
}

Module::Evaluation ExposureModule::evaluate(Index) {
  Evaluation result;
  for (const Estimate& e : estimates())
    if (e.is_judged) result.add(e, context_->stop);
  result.all_converged = context_->stop.has_error_target() && result.converged == result.judged;
  return result;
}

std::string ExposureModule::health() {
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (std::isfinite(results_[i])) continue;
    const auto set = static_cast<Index>(i) % numbers_per_unit() / numbers_per_set();
    return fmt::format(
        "netting set `{}`: an exposure is not a finite number; check the trades' amounts and their "
        "assets' rates and volatilities",
        excerpt(options_.sets[static_cast<std::size_t>(set)].name));
  }
  return {};
}

void ExposureModule::save(DatasetWriter& w) const {
  save_policies(config_, w);
  w.write("exposure/units", results_, numbers_per_unit());
}

void ExposureModule::restore(DatasetReader& r) {
  restore_policies(config_, r);
  results_ = r.read<double>("exposure/units");
  if (results_.size() % static_cast<std::size_t>(numbers_per_unit()) != 0)
    throw IoError(
        "checkpoint: exposure/units does not hold the numbers of this run's netting sets");
}

}  // namespace gsim::pricing

namespace gsim {
void register_exposure_module(Registry& registry) {
  registry.add({"exposure", "exposures of netting sets of option portfolios, CVA, DVA and FVA",
                [](const Registry& parts) {
                  return std::make_unique<pricing::ExposureModule>(
                      parts.all<pricing::PayoffKind>(), parts.all<pricing::PathModelKind>());
                }});
}
}  // namespace gsim
