#include "gsim/md/observers/atom_observer.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/md/integrators/integrate.hpp"

namespace gsim::md {
namespace {

AtomObserverSetup setup_of(const ObserverSetup& s) {
  AtomObserverSetup setup{
      s.atoms, s.steps, s.time_step, s.units->boltzmann, s.units->energy_per_mv2, {}};
  for (std::size_t t = 0; t < s.type_names.size(); ++t)
    setup.types.push_back({s.type_names[t], s.type_masses[t], s.type_counts[t]});
  return setup;
}

/// Runs an AtomObserver at the steps, and with the name, of the configuration.
class NamedAtomObserver final : public Observer {
 public:
  NamedAtomObserver(const ObserverArguments& run, std::unique_ptr<AtomObserver> observer)
      : name_(run.name),
        steps_(run.steps),
        executor_(run.setup.executor),
        observer_(std::move(observer)) {}

  Index next(Index step) const override { return steps_.next(step); }
  bool needs_thermo() const override { return true; }
  void observe(const Snapshot& snapshot) override;
  std::vector<Estimate> estimates() const override {
    std::vector<Estimate> all = observer_->estimates();
    for (Estimate& e : all) e.name = name_ + (e.name.empty() ? "" : "/" + e.name);
    return all;
  }
  void save(DatasetWriter& writer) const override { observer_->save(writer, "observe/" + name_); }
  void restore(DatasetReader& reader) override { observer_->restore(reader, "observe/" + name_); }
  void write_results(DatasetWriter& writer) const override {
    observer_->write_results(writer, "observables/" + name_);
  }
  std::uint64_t digest() const override { return observer_->digest(); }

 private:
  std::string name_;
  SampleSteps steps_;
  Executor executor_;
  std::unique_ptr<AtomObserver> observer_;
};

void NamedAtomObserver::observe(const Snapshot& s) {
  Particles& p = s.particles;
  const MovingParticles moving = p.moving();
  const Thermo& t = *s.thermo;
  const auto types = p.store.elements<std::int32_t>(p.type);
  observer_->observe({s.step,
                      s.time,
                      s.box,
                      executor_,
                      s.communicator,
                      s.atoms,
                      moving.id,
                      {moving.position.data, moving.position.size},
                      {moving.image.data, moving.image.size},
                      {moving.velocity.data, moving.velocity.size},
                      {types.data, p.locals()},
                      t.temperature,
                      t.kinetic,
                      t.potential,
                      t.pressure,
                      t.volume});
}

}  // namespace

MakeObserver atom_observer(MakeAtomObserver make) {
  return [make = std::move(make)](const ObserverArguments& run) -> std::unique_ptr<Observer> {
    std::unique_ptr<AtomObserver> observer = make(setup_of(run.setup));
    if (observer == nullptr)
      throw Error(fmt::format("the factory of observer `{}` returned null", run.name));
    return std::make_unique<NamedAtomObserver>(run, std::move(observer));
  };
}

}  // namespace gsim::md
