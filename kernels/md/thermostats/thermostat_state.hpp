#pragma once
// The states of thermostats that scale velocities, and their time steps. Hosts and devices compute
// them with the same bits. The equations are stated where the thermostats are defined
// (src/modules/md/thermostats).

#include <cstdint>

#include "gsim/core/types.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/philox.hpp"
#include "gsim/random/uniform.hpp"

namespace gsim::md {

/// A Nosé-Hoover chain.
struct NoseHooverState {
  static constexpr std::int32_t max_links = 16;
  double freedom = 0;               ///< N_f, the number of degrees of freedom
  double time_squared = 0;          ///< the square of the time scale
  double time_step = 0;             ///< of the run
  double thermal = 0;               ///< kB T of the current masses
  double position_energy = 0;       ///< N_f kB T eta_1 + kB T eta_2 + …
  double velocity[max_links] = {};  ///< of the links
  std::int32_t links = 1;
};

/// Stochastic velocity rescaling.
struct BussiState {
  Index freedom = 0;
  double decay = 1, one_minus_decay = 0;  ///< exp(-dt / tau) and 1 - exp(-dt / tau)
  PhiloxKey key;
  std::uint64_t entity = 0;
  double removed_energy = 0;  ///< total energy removed from the atoms
};

/// The thermostat of a coupling group, and the first step in which its factor was invalid.
struct ThermostatState {
  enum class Kind : std::int32_t { none, nose_hoover, bussi };
  Kind kind = Kind::none;
  std::int32_t may_reverse = 0;  ///< whether factors may be negative
  NoseHooverState chain;
  BussiState bussi;
  Index fault_step = -1;  ///< -1: none
  double fault_factor = 1, fault_twice_kinetic = 0;
};

}  // namespace gsim::md

GSIM_TARGET_BEGIN
namespace md_kernels {

using md::BussiState;
using md::NoseHooverState;

GSIM_HD double link_mass(const NoseHooverState& s, int link) {
  return (link == 0 ? s.freedom : 1) * s.thermal * s.time_squared;
}
GSIM_HD double chain_energy(const NoseHooverState& s) {
  double kinetic = 0;
  for (int k = 0; k < s.links; ++k)
    kinetic += 0.5 * link_mass(s, k) * s.velocity[k] * s.velocity[k];
  return kinetic + s.position_energy;
}
/// Sets kB T. A new temperature changes the masses and thus the kinetic energy of the chain; the
/// difference is added to the conserved energy.
GSIM_HD void set_thermal(NoseHooverState& s, double thermal) {
  if (thermal == s.thermal) return;
  const double before = chain_energy(s);
  s.thermal = thermal;
  s.position_energy += before - chain_energy(s);
}
/// The time derivative of the velocity of a link, without the friction of the next link.
GSIM_HD double link_acceleration(const NoseHooverState& s, int link, double twice_kinetic) {
  if (link == 0) return (twice_kinetic - s.freedom * s.thermal) / link_mass(s, 0);
  const double v = s.velocity[link - 1];
  return (link_mass(s, link - 1) * v * v - s.thermal) / link_mass(s, link);
}
/// Advances the velocity of a link by half of `time`.
GSIM_HD void kick_link(NoseHooverState& s, int link, double time, double twice_kinetic) {
  const double push = 0.5 * time * link_acceleration(s, link, twice_kinetic);
  if (link + 1 == s.links) {
    s.velocity[link] += push;
    return;
  }
  const double drag = gsim::exp<Strict>(-0.25 * time * s.velocity[link + 1]);
  s.velocity[link] = (s.velocity[link] * drag + push) * drag;
}
/// Advances the chain by `time`; returns the factor of the velocities of the atoms.
GSIM_HD double advance_chain(NoseHooverState& s, double time, double twice_kinetic) {
  for (int k = s.links; k-- > 0;) kick_link(s, k, time, twice_kinetic);
  const double factor = gsim::exp<Strict>(-time * s.velocity[0]);
  double velocity_sum = s.freedom * s.velocity[0];
  for (int k = 1; k < s.links; ++k) velocity_sum += s.velocity[k];
  s.position_energy += s.thermal * velocity_sum * time;
  const double scaled = twice_kinetic * factor * factor;
  for (int k = 0; k < s.links; ++k) kick_link(s, k, time, scaled);
  return factor;
}
/// A time step at kB T = `thermal` (Thermostat::scale).
GSIM_HD double scale_by_chain(NoseHooverState& s, double twice_kinetic, double thermal) {
  // The five substeps in units of the time step (Suzuki 1990): 1 / (4 - 4^(1/3)) four times, and 1
  // minus their sum in the middle.
  constexpr double outer = 0.41449077179437573714, inner = 1 - 4 * outer;
  set_thermal(s, thermal);
  double factor = 1;
  for (int k = 0; k < 5; ++k)
    factor *=
        advance_chain(s, (k == 2 ? inner : outer) * s.time_step, twice_kinetic * factor * factor);
  return factor;
}

/// Draws a number with the chi-squared distribution of `freedom` >= 0 degrees of freedom (0: zero)
/// from the blocks `first_block`, first_block + 1, … of (key, entity, step): twice a gamma number
/// of shape freedom / 2 by the rejection of G. Marsaglia and W. W. Tsang, ACM Trans. Math. Softw.
/// 26 (2000) 363, each attempt from one block. NaN after a thousand rejections.
GSIM_HD double draw_chi_squared(PhiloxKey key, std::uint64_t entity, std::uint64_t step,
                                std::uint32_t first_block, Index freedom) {
  if (freedom == 0) return 0;
  if (freedom == 1) {
    const double z = normals<double, Strict>(philox_block(key, entity, step, first_block))[0];
    return z * z;
  }
  const double d = 0.5 * static_cast<double>(freedom) - 1.0 / 3.0;
  const double c = 1 / sqrt(9 * d);
  // At least 95 % of the attempts are accepted, for every shape.
  constexpr std::uint32_t max_attempts = 1000;
  for (std::uint32_t block = first_block; block < first_block + max_attempts; ++block) {
    const auto words = philox_block(key, entity, step, block);
    const double x = normal_pair_double(words.x0, words.x1)[0];
    const double u = unit_double(words.x2, words.x3);
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (gsim::log<Strict>(u) < 0.5 * x * x + d - d * v + d * gsim::log<Strict>(v)) return 2 * d * v;
  }
  return nan_of<double>();
}

/// A time step of stochastic velocity rescaling at kB T = `thermal` (Thermostat::scale).
GSIM_HD double scale_by_bussi(BussiState& s, double twice_kinetic, double thermal, Index step) {
  if (!(twice_kinetic > 0)) return 1;  // velocities of zero cannot be scaled
  const auto step_address = static_cast<std::uint64_t>(step);
  const double first_normal =
      normals<double, Strict>(philox_block(s.key, s.entity, step_address, 0))[0];
  const double other_squares = draw_chi_squared(s.key, s.entity, step_address, 1, s.freedom - 1);
  // Appendix A of Bussi, Donadio and Parrinello (2007): the factor alpha has alpha^2 = c + (1 - c)
  // r (R_1^2 + sum of R_i^2) + 2 R_1 sqrt(c (1 - c) r) with c = exp(-dt / tau), r = K_T / (N_f K)
  // and i from 2 to N_f; the sign of alpha is that of R_1 + sqrt(c / ((1 - c) r)).
  const double noise = s.one_minus_decay * thermal / twice_kinetic;
  const double signed_scale = sqrt(s.decay) + first_normal * sqrt(noise);
  const double squared = signed_scale * signed_scale + noise * other_squares;
  s.removed_energy += 0.5 * twice_kinetic * (1 - squared);
  return copysign(sqrt(squared), signed_scale);
}

/// Whether velocities can be scaled by `factor`.
GSIM_HD bool is_valid_factor(double factor, bool may_reverse) {
  return factor - factor == 0 && (may_reverse || factor > 0);
}

/// The factor of the velocities of a coupling group. Records the first invalid one.
GSIM_HD double scale_group(md::ThermostatState& s, double twice_kinetic, double thermal,
                           Index step) {
  using Kind = md::ThermostatState::Kind;
  if (s.kind == Kind::none) return 1;
  const double factor = s.kind == Kind::nose_hoover
                            ? scale_by_chain(s.chain, twice_kinetic, thermal)
                            : scale_by_bussi(s.bussi, twice_kinetic, thermal, step);
  if (!is_valid_factor(factor, s.may_reverse != 0) && s.fault_step < 0) {
    s.fault_step = step;
    s.fault_factor = factor;
    s.fault_twice_kinetic = twice_kinetic;
  }
  return factor;
}

}  // namespace md_kernels
GSIM_TARGET_END
