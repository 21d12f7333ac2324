#include "src/modules/md/barostats/mtk.hpp"

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "src/modules/md/thermostats/nose_hoover.hpp"

namespace gsim::md {

MtkBarostat::MtkBarostat(const BarostatSetup& setup, double time, Index links) {
  state_.freedom = setup.freedom;
  state_.time_squared = time * time;
  state_.time_step = setup.time_step;
  state_.rates = setup.coupling == Coupling::isotropic ? 1 : 3;
  state_.chain = nose_hoover_state(static_cast<double>(state_.rates), time, links, setup.time_step);
}

void MtkBarostat::start(const PressureState& state) { md_kernels::set_targets(state_, state); }

BoxStep MtkBarostat::begin_step(const PressureState& state, Index /*step*/) {
  return md_kernels::begin_step(state_, state);
}

HalfKick MtkBarostat::end_kick() const { return md_kernels::end_kick(state_); }

void MtkBarostat::end_step(const PressureState& state, Index /*step*/) {
  md_kernels::end_step(state_, state);
}

double MtkBarostat::energy(double volume) const {
  return md_kernels::piston_energy(state_, volume);
}

void MtkBarostat::copy_to(BarostatState& state) const {
  state.kind = BarostatState::Kind::mtk;
  state.mtk = state_;
}

void MtkBarostat::save(DatasetWriter& writer, const std::string& path) const {
  std::vector<double> piston(state_.rate, state_.rate + state_.rates);
  piston.insert(piston.end(), {state_.thermal, state_.pressure, state_.target_work});
  writer.write(path + "/piston", piston);
  save_chain(state_.chain, writer, path + "/chain");
}

void MtkBarostat::restore(DatasetReader& reader, const std::string& path) {
  const auto piston = reader.read<double>(path + "/piston");
  const auto n = static_cast<std::size_t>(state_.rates);
  for (std::size_t a = 0; a < n; ++a) state_.rate[a] = piston.at(a);
  state_.thermal = piston.at(n);
  state_.pressure = piston.at(n + 1);
  state_.target_work = piston.at(n + 2);
  restore_chain(state_.chain, reader, path + "/chain");
}

BarostatPlan mtk_barostat(double time, Index links) {
  return {.make =
              [=](const BarostatSetup& setup) {
                return std::make_unique<MtkBarostat>(setup, time, links);
              },
          .time = time};
}

namespace {

BarostatPlan describe_mtk(Section& s) {
  double time = 0;
  s.required(
      "time", time,
      {.doc = "time scale on which the volume oscillates; the mass of the piston is (degrees of "
              "freedom + 3) kB T time^2",
       .unit = "time",
       .minimum = 0,
       .exclusive_minimum = true});
  Index links = 3;
  s.optional("chain", links,
             {.doc = "number of thermostats in the Nosé-Hoover chain of the piston",
              .minimum = 1,
              .maximum = 16});
  return mtk_barostat(time, links);
}

}  // namespace

void register_mtk(Registry& registry) {
  registry.extend(BarostatKind{
      "mtk", "a piston with inertia and a thermostat of its own (Martyna, Tobias and Klein 1994)",
      describe_mtk});
}

}  // namespace gsim::md
