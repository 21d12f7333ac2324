#include "src/modules/md/correlations/green_kubo.hpp"

#include <array>
#include <utility>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "src/modules/md/sampling/result_columns.hpp"

namespace gsim::md {

GreenKuboConfig describe_green_kubo(Section& s) {
  GreenKuboConfig c;
  s.optional(
      "lags", c.lags,
      {.doc = "number of lag times (1, 2, … times `every` steps); the correlation "
              "function must decay within the longest one, and a standard error requires a run of "
              "at least 20 times its length",
       .minimum = 1,
       .maximum = 1e5});
  return c;
}

GreenKubo::GreenKubo(std::string name, const SampleSteps& steps, const GreenKuboConfig& config,
                     const ObserverSetup& setup, int components, Quantity quantity)
    : name_(std::move(name)),
      path_("observe/" + name_),
      steps_(steps),
      setup_(setup),
      quantity_(std::move(quantity)),
      correlator_(config.lags, components),
      state_(2) {}

void GreenKubo::observe(const Snapshot& snapshot) {
  if (steps_.index(snapshot.step) != state_.count())
    throw Error("internal error: observer `" + name_ + "` has missed a step");
  correlator_.add(flux(snapshot));
  state_.add(std::array{snapshot.thermo->volume, snapshot.thermo->temperature});
}

Estimate GreenKubo::coefficient(Index lag) const {
  const double f = factor(state_.mean(0).mean, state_.mean(1).mean) * time(1);
  return correlator_.integral(lag).estimate(name_, quantity_.unit, f);
}

std::vector<Estimate> GreenKubo::estimates() const {
  const Index end = correlator_.lags();
  if (correlator_.origins() == 0) return {};
  Estimate e = coefficient(end);
  prepend_remark(e, short_window_remark(correlation(end), correlation(0)));
  return {e};
}

void GreenKubo::save(DatasetWriter& writer) const {
  correlator_.save(writer, path_ + "/correlator");
  state_.save(writer, path_ + "/state");
}

void GreenKubo::restore(DatasetReader& reader) {
  correlator_.restore(reader, path_ + "/correlator");
  state_.restore(reader, path_ + "/state");
}

void GreenKubo::write_results(DatasetWriter& writer) const {
  std::vector<double> times, coefficients, errors;
  std::vector<BlockedMean> correlations;
  std::vector<Index> origins;
  for (Index k = 0; k <= correlator_.lags(); ++k) {
    const Estimate e = coefficient(k);
    times.push_back(time(k));
    correlations.push_back(correlation(k));
    coefficients.push_back(e.mean);
    errors.push_back(e.standard_error);
    origins.push_back(correlator_.origins());
  }
  const std::string squared = quantity_.flux_unit.empty() ? "" : "(" + quantity_.flux_unit + ")2";
  ResultColumns table(writer, "observables/" + name_, quantity_.description);
  table.numbers("time", times, setup_.units->time_name, "lag");
  table.means("correlation", correlations, squared, "autocorrelation, mean over components");
  table.numbers(quantity_.name, coefficients, quantity_.unit, "from the integral from 0 to t");
  table.numbers(quantity_.name + "_error", errors, quantity_.unit, "standard error");
  table.counts("origins", origins, "time origins");
}

std::uint64_t GreenKubo::digest() const {
  Digest digest;
  digest.add(name_);
  correlator_.add_to(digest);
  state_.add_to(digest);
  return digest.value();
}

}  // namespace gsim::md
