#include "dynamics_check.hpp"

#include <atomic>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/trial.hpp"
#include "gsim/md/observers/observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"

namespace gsim::md {
namespace {

// Kinds have plain functions without data, so the kind under test and the number of its calls are
// kept in these variables.
const ThermostatKind* tested_thermostat = nullptr;
const ObserverKind* tested_observer = nullptr;
std::atomic<Index> calls{0};

class CountingThermostat : public Thermostat {
 public:
  explicit CountingThermostat(std::unique_ptr<Thermostat> inner) : inner_(std::move(inner)) {}
  double scale(double twice_kinetic, double thermal, Index step) override {
    ++calls;
    const double factor = inner_->scale(twice_kinetic, thermal, step);
    if (!(factor > 0 && std::isfinite(factor)))
      throw Error(fmt::format("the scale factor of velocities is {} in step {}", factor, step));
    return factor;
  }
  double energy() const override { return inner_->energy(); }
  void save(DatasetWriter& writer, const std::string& path) const override {
    inner_->save(writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    inner_->restore(reader, path);
  }

 private:
  std::unique_ptr<Thermostat> inner_;
};

class CountingObserver : public Observer {
 public:
  explicit CountingObserver(std::unique_ptr<Observer> inner) : inner_(std::move(inner)) {}
  Index next(Index step) const override { return inner_->next(step); }
  bool needs_thermo() const override { return inner_->needs_thermo(); }
  double reach() const override { return inner_->reach(); }
  void observe(const Snapshot& snapshot) override {
    ++calls;
    inner_->observe(snapshot);
  }
  std::vector<Estimate> estimates() const override { return inner_->estimates(); }
  void save(DatasetWriter& writer) const override { inner_->save(writer); }
  void restore(DatasetReader& reader) override { inner_->restore(reader); }
  void abandon() override { inner_->abandon(); }
  void write_results(DatasetWriter& writer) const override { inner_->write_results(writer); }
  std::uint64_t digest() const override { return inner_->digest(); }

 private:
  std::unique_ptr<Observer> inner_;
};

ThermostatPlan describe_thermostat(Section& s) {
  ThermostatPlan plan = tested_thermostat->describe(s);
  if (!plan.make)
    ++calls;  // Langevin dynamics has no scale factor
  else
    plan.make = [make = plan.make](const ThermostatSetup& setup) {
      return std::make_unique<CountingThermostat>(make(setup));
    };
  return plan;
}

ObserverPlan describe_observer(Section& s) {
  ObserverPlan plan = tested_observer->describe(s);
  if (plan.make)
    plan.make = [make = plan.make](const ObserverArguments& run) {
      return std::make_unique<CountingObserver>(make(run));
    };
  return plan;
}

/// Runs the example with `kind` in place of the tested part; `unused`: the message if it is not
/// called.
template <class Kind>
std::string run_problem(const ConformanceSubject& subject, const Kind& kind, const char* unused) {
  Registry with_counting =
      subject.registry.without([&](const Registry::Extension& e) { return &e == &subject.part; });
  with_counting.extend(kind);
  calls = 0;
  Trial trial = subject.trial();
  trial.make = [&] { return with_counting.find(subject.part.module).factory(with_counting); };
  run_trial(trial);
  return calls > 0 ? "" : unused;
}

}  // namespace

void check_thermostat(const ConformanceSubject& subject, const ReportFinding& report) {
  tested_thermostat = &subject.part_as<ThermostatKind>();
  ThermostatKind kind = *tested_thermostat;
  kind.describe = describe_thermostat;
  report_problem(report, "scale factors of velocities are positive",
                 [&] { return run_problem(subject, kind, "scale() was never called"); });
}

void check_observer(const ConformanceSubject& subject, const ReportFinding& report) {
  tested_observer = &subject.part_as<ObserverKind>();
  ObserverKind kind = *tested_observer;
  kind.describe = describe_observer;
  report_problem(report, "the observer is called in its example", [&] {
    return run_problem(subject, kind,
                       "it was never called: check `every` and `from` of [[observe]]");
  });
}

void register_dynamics_check(Registry& registry);
void register_dynamics_check(Registry& registry) {
  registry.extend(ConformanceCheck{.module = "md",
                                   .name = "factors_of_thermostats",
                                   .doc = "scale factors of velocities are positive",
                                   .kind = ThermostatKind::extends,
                                   .check = check_thermostat});
  registry.extend(ConformanceCheck{.module = "md",
                                   .name = "calls_of_observers",
                                   .doc = "the observer is called in its example",
                                   .kind = ObserverKind::extends,
                                   .check = check_observer});
}

}  // namespace gsim::md
