#include "src/modules/md/thermostats/bussi.hpp"

#include <cmath>

#include "gsim/config/section.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"
#include "src/modules/md/thermostats/chi_squared.hpp"

namespace gsim::md {

BussiThermostat::BussiThermostat(double freedom, double time, double time_step, std::uint64_t seed,
                                 std::uint64_t entity)
    : freedom_(static_cast<Index>(freedom)),
      decay_(exp<Strict>(-time_step / time)),
      one_minus_decay_(-expm1<Strict>(-time_step / time)),
      key_(stream_key({seed, Purpose::md_thermostat})),
      entity_(entity) {}

double BussiThermostat::scale(double twice_kinetic, double thermal, Index step) {
  if (!(twice_kinetic > 0)) return 1;  // velocities of zero cannot be scaled
  const auto step_address = static_cast<std::uint64_t>(step);
  const double first_normal =
      normals<double, Strict>(philox_block(key_, entity_, step_address, 0))[0];
  const double other_squares = chi_squared(key_, entity_, step_address, 1, freedom_ - 1);
  // Appendix A of Bussi, Donadio and Parrinello (2007): the factor alpha has alpha^2 = c + (1 - c)
  // r (R_1^2 + sum of R_i^2) + 2 R_1 sqrt(c (1 - c) r) with c = exp(-dt / tau), r = K_T / (N_f K)
  // and i from 2 to N_f; the sign of alpha is that of R_1 + sqrt(c / ((1 - c) r)).
  const double noise = one_minus_decay_ * thermal / twice_kinetic;
  const double signed_scale = std::sqrt(decay_) + first_normal * std::sqrt(noise);
  const double squared = signed_scale * signed_scale + noise * other_squares;
  removed_energy_ += 0.5 * twice_kinetic * (1 - squared);
  return std::copysign(std::sqrt(squared), signed_scale);
}

void BussiThermostat::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path, removed_energy_);
}
void BussiThermostat::restore(DatasetReader& reader, const std::string& path) {
  removed_energy_ = reader.read_value<double>(path);
}

ThermostatPlan bussi_thermostat(double time) {
  return {.make =
              [=](const ThermostatSetup& setup) {
                check_thermostat_time(time, setup.time_step);
                return std::make_unique<BussiThermostat>(setup.freedom, time, setup.time_step,
                                                         setup.seed, setup.entity);
              },
          .may_reverse = true};
}

namespace {

ThermostatPlan describe_bussi(Section& s) {
  double time = 0;
  s.required("time", time,
             {.doc = "relaxation time of the kinetic energy",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  return bussi_thermostat(time);
}

}  // namespace

void register_bussi(Registry& registry) {
  registry.extend(ThermostatKind{
      "bussi",
      "stochastic velocity rescaling, which samples the canonical ensemble and changes dynamics "
      "little (Bussi, Donadio and Parrinello 2007)",
      describe_bussi});
}

}  // namespace gsim::md
