#include "hook_check.hpp"

#include <atomic>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/engine/trial.hpp"
#include "gsim/md/observers/atom_observer.hpp"
#include "gsim/md/thermostats/thermostat.hpp"
#include "registry_without.hpp"

namespace gsim::app {
namespace {

// Kinds have functions without data: what is watched, and how often it was called, stands here.
const md::ScalingThermostat* watched_thermostat = nullptr;
const md::AtomObserverKind* watched_observer = nullptr;
std::atomic<Index> calls{0};

class WatchedThermostat : public md::Thermostat {
 public:
  explicit WatchedThermostat(std::unique_ptr<md::Thermostat> theirs) : theirs_(std::move(theirs)) {}
  double scale(double twice_kinetic, double thermal, Index step) override {
    ++calls;
    const double factor = theirs_->scale(twice_kinetic, thermal, step);
    if (!(factor > 0 && std::isfinite(factor)))
      throw Error(fmt::format("the factor for velocities is {} in step {}", factor, step));
    return factor;
  }
  double energy() const override { return theirs_->energy(); }
  void save(DatasetWriter& writer, const std::string& path) const override {
    theirs_->save(writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    theirs_->restore(reader, path);
  }

 private:
  std::unique_ptr<md::Thermostat> theirs_;
};

class WatchedObserver : public md::AtomObserver {
 public:
  explicit WatchedObserver(std::unique_ptr<md::AtomObserver> theirs) : theirs_(std::move(theirs)) {}
  void observe(const md::ObservedStep& step) override {
    ++calls;
    theirs_->observe(step);
  }
  std::vector<Estimate> estimates() const override { return theirs_->estimates(); }
  void save(DatasetWriter& writer, const std::string& path) const override {
    theirs_->save(writer, path);
  }
  void restore(DatasetReader& reader, const std::string& path) override {
    theirs_->restore(reader, path);
  }
  void write_results(DatasetWriter& writer, const std::string& path) const override {
    theirs_->write_results(writer, path);
  }
  std::uint64_t digest() const override { return theirs_->digest(); }

 private:
  std::unique_ptr<md::AtomObserver> theirs_;
};

md::MakeThermostat describe_thermostat(Section& s) {
  return [make = watched_thermostat->describe(s)](const md::ThermostatSetup& setup) {
    return std::make_unique<WatchedThermostat>(make(setup));
  };
}

md::MakeAtomObserver describe_observer(Section& s) {
  return [make = watched_observer->describe(s)](const md::AtomObserverSetup& setup) {
    return std::make_unique<WatchedObserver>(make(setup));
  };
}

/// What is wrong in a run with the module of `registry`, which has the watched kind.
std::string problem_of(const Registry& registry, const std::string& module, const Subject& subject,
                       const char* unused) {
  calls = 0;
  Trial trial = trial_of(subject);
  trial.make = [&] { return registry.find(module).factory(registry); };
  run_trial(trial);
  return calls > 0 ? "" : unused;
}

}  // namespace

bool check_hook(const Registry::Extension& part, const Registry& registry, const Subject& subject,
                const std::function<void(const Finding&)>& tell) {
  Registry watching = registry_without(registry, part);
  if (part.kind == md::ScalingThermostat::extends) {
    watched_thermostat = static_cast<const md::ScalingThermostat*>(part.object.get());
    md::ScalingThermostat kind = *watched_thermostat;
    kind.describe = describe_thermostat;
    watching.extend(kind);
    return holds(tell, "scales velocities by positive numbers", [&] {
      return problem_of(watching, part.module, subject, "it was never asked for a factor");
    });
  }
  watched_observer = static_cast<const md::AtomObserverKind*>(part.object.get());
  md::AtomObserverKind kind = *watched_observer;
  kind.describe = describe_observer;
  watching.extend(kind);
  return holds(tell, "looks at a step of its example", [&] {
    return problem_of(watching, part.module, subject,
                      "it never did: see to `every` and `from` of [[observe]]");
  });
}

}  // namespace gsim::app
