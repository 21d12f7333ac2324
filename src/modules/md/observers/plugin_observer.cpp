#include "src/modules/md/observers/plugin_observer.hpp"

#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"

namespace gsim::md {
namespace {

AtomObserverSetup setup_of(const ObserverSetup& s) {
  AtomObserverSetup setup{
      s.atoms, s.steps, s.time_step, s.units->boltzmann, s.units->energy_per_mv2, {}};
  for (std::size_t t = 0; t < s.type_names.size(); ++t)
    setup.types.push_back({s.type_names[t], s.type_masses[t], s.type_counts[t]});
  return setup;
}

}  // namespace

PluginObserver::PluginObserver(std::string name, const SampleSteps& steps,
                               const MakeAtomObserver& make, const ObserverSetup& setup)
    : name_(std::move(name)),
      steps_(steps),
      executor_(setup.executor),
      theirs_(make(setup_of(setup))) {
  if (theirs_ == nullptr) throw Error(fmt::format("no observer was made of `{}`", name_));
}

void PluginObserver::observe(const Snapshot& s) {
  Particles& p = s.particles;
  const MovingParticles moving = p.moving();
  const Thermo& t = *s.thermo;
  const auto types = p.store.elements<std::int32_t>(p.type);
  theirs_->observe({s.step,
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

std::vector<Estimate> PluginObserver::estimates() const {
  std::vector<Estimate> all = theirs_->estimates();
  for (Estimate& e : all) e.name = name_ + (e.name.empty() ? "" : "/" + e.name);
  return all;
}

}  // namespace gsim::md
