#pragma once
// The states of gsim's barostats, and their time steps. Hosts and devices compute them with the
// same bits. The equations are stated where the barostats are defined (src/modules/md/barostats).

#include <cstdint>

#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/md/barostats/box_step.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/philox.hpp"
#include "kernels/md/thermostats/thermostat_state.hpp"

namespace gsim::md {

/// The barostat of Martyna, Tobias and Klein.
struct MtkState {
  double freedom = 0, time_squared = 0, time_step = 0;  ///< N_f; square of `time`; dt
  std::int32_t rates = 1;                               ///< 1, or 3: one for each axis
  double rate[3] = {};
  NoseHooverState chain;             ///< thermostat of the rates
  double thermal = 0, pressure = 0;  ///< target kB T, from which the mass follows, and target P
  double target_work = 0;            ///< energy that compensates changes of the targets
};

/// Stochastic cell rescaling.
struct RescalingState {
  std::int32_t is_isotropic = 1;
  double mobility = 0;  ///< b dt / tau
  PhiloxKey key;
  Vector3 strain{};  ///< logarithms of the factors of the lengths in the last step
  double work = 0;   ///< energy transferred from the atoms to the box
};

/// A barostat that hosts and devices compute.
struct BarostatState {
  enum class Kind : std::int32_t { mtk, rescaling };
  Kind kind = Kind::mtk;
  MtkState mtk;
  RescalingState rescaling;
};

}  // namespace gsim::md

GSIM_TARGET_BEGIN
namespace md_kernels {

using md::BoxStep;
using md::HalfKick;
using md::MtkState;
using md::PressureState;
using md::RescalingState;

/// (1 - exp(-x)) / x.
GSIM_HD double mean_decay(double x) { return x == 0 ? 1.0 : -gsim::expm1<Strict>(-x) / x; }

GSIM_HD double piston_mass(const MtkState& s) {
  return (s.freedom + 3) * s.thermal * s.time_squared / static_cast<double>(s.rates);
}
GSIM_HD double piston_rate(const MtkState& s, int axis) { return s.rate[s.rates == 1 ? 0 : axis]; }

/// Barostat::energy().
GSIM_HD double piston_energy(const MtkState& s, double volume) {
  double sum = s.pressure * volume + chain_energy(s.chain) + s.target_work;
  for (int a = 0; a < s.rates; ++a) sum += 0.5 * piston_mass(s) * s.rate[a] * s.rate[a];
  return sum;
}
/// Sets the targets. A new temperature changes the mass, a new pressure changes P V; target_work
/// compensates both in the conserved quantity.
GSIM_HD void set_targets(MtkState& s, const PressureState& state) {
  if (state.thermal == s.thermal && state.pressure == s.pressure) return;
  const bool is_first = s.thermal == 0;
  const double before = piston_energy(s, state.volume());
  s.thermal = state.thermal;
  s.pressure = state.pressure;
  if (!is_first) s.target_work += before - piston_energy(s, state.volume());
}
/// Advances the rates by half a time step.
GSIM_HD void kick_piston(MtkState& s, const PressureState& state) {
  const double total_kinetic = state.kinetic[0] + state.kinetic[1] + state.kinetic[2];
  double force[3];
  for (std::size_t a = 0; a < 3; ++a)
    force[a] = state.kinetic[a] + state.virial[a] - s.pressure * state.volume() +
               total_kinetic / s.freedom;
  if (s.rates == 1) force[0] = force[0] + force[1] + force[2];
  for (int a = 0; a < s.rates; ++a) s.rate[a] += 0.5 * s.time_step * force[a] / piston_mass(s);
}
/// Barostat::end_kick().
GSIM_HD HalfKick end_kick(const MtkState& s) {
  const double rate_sum = piston_rate(s, 0) + piston_rate(s, 1) + piston_rate(s, 2);
  HalfKick half_kick;
  for (int a = 0; a < 3; ++a) {
    const double decay = 0.5 * s.time_step * (piston_rate(s, a) + rate_sum / s.freedom);
    half_kick.decay[a] = gsim::exp<Strict>(-decay);
    half_kick.kick[a] = mean_decay(decay);
  }
  return half_kick;
}
/// Barostat::begin_step().
GSIM_HD BoxStep begin_step(MtkState& s, const PressureState& state) {
  set_targets(s, state);
  kick_piston(s, state);
  BoxStep step;
  step.kick = end_kick(s);
  for (std::size_t a = 0; a < 3; ++a) {
    const double growth = piston_rate(s, static_cast<int>(a)) * s.time_step;
    step.drift[a] = mean_decay(growth);
    step.half_drift[a] = mean_decay(0.5 * growth);
    step.second_half_factor[a] = gsim::exp<Strict>(-0.5 * growth);
    step.stretch[a] = gsim::exp<Strict>(growth);
  }
  return step;
}
/// Barostat::end_step().
GSIM_HD void end_step(MtkState& s, const PressureState& state) {
  kick_piston(s, state);
  set_targets(s, state);
  double twice_kinetic = 0;
  for (int a = 0; a < s.rates; ++a) twice_kinetic += piston_mass(s) * s.rate[a] * s.rate[a];
  const double factor = scale_by_chain(s.chain, twice_kinetic, s.thermal);
  for (int a = 0; a < s.rates; ++a) s.rate[a] *= factor;
}

/// The change of the square root of the length along `axis`, or of the volume if isotropic, in a
/// step, in parts of it, and the pressure from which it follows.
struct RootGrowth {
  double change = 0, internal_pressure = 0;
  /// The square root may change by less than this in a step: the volume or length by a tenth.
  static constexpr double limit = 0.05;
};
GSIM_HD RootGrowth root_growth(const RescalingState& s, const PressureState& state, int axis,
                               Index step) {
  const double volume = state.volume();
  RootGrowth result;
  double drift_factor = 0.5, noise_factor = 0.5;
  if (s.is_isotropic != 0) {
    for (std::size_t a = 0; a < 3; ++a)
      result.internal_pressure += (state.kinetic[a] + state.virial[a]) / (3 * volume);
  } else {
    const auto a = static_cast<std::size_t>(axis);
    result.internal_pressure = (state.kinetic[a] + state.virial[a]) / volume;
    drift_factor = noise_factor = 1.0 / 6.0;
  }
  // The Euler step dx / x of x = sqrt(V) or x = sqrt(L) (see cell_rescaling.hpp). With V = A x^2 (A
  // = 1 for x = sqrt(V)), the noise of dx / x has the standard deviation sqrt(noise_factor kB T b
  // dt / (tau V)) in both cases.
  const double normal = normals<double, Strict>(philox_block(
      s.key, static_cast<std::uint64_t>(axis), static_cast<std::uint64_t>(step), 0))[0];
  const double drift = -drift_factor * s.mobility *
                       (state.pressure - result.internal_pressure - 0.5 * state.thermal / volume);
  result.change = drift + sqrt(state.thermal * s.mobility * noise_factor / volume) * normal;
  return result;
}
/// Barostat::begin_step(), for root_growth() of the three axes; if isotropic, of the first.
GSIM_HD BoxStep begin_step(RescalingState& s, const PressureState& state,
                           const RootGrowth* growth) {
  BoxStep result;
  for (std::size_t a = 0; a < 3; ++a) {
    // x is a square root, so that the volume or length changes by twice this fraction.
    const bool is_isotropic = s.is_isotropic != 0;
    const double strain = 2 * gsim::log1p<Strict>(growth[is_isotropic ? 0 : a].change);
    s.strain[a] = is_isotropic ? strain / 3 : strain;
    const double stretch = gsim::exp<Strict>(s.strain[a]);
    result.stretch[a] = stretch;
    result.kick.decay[a] = 1 / stretch;
    result.drift[a] = result.half_drift[a] = 1 / stretch;
    s.work -= 0.5 * state.kinetic[a] * gsim::expm1<Strict>(-2 * s.strain[a]);
    s.work += 0.5 * state.virial[a] * s.strain[a];
  }
  return result;
}
/// Barostat::end_step().
GSIM_HD void end_step(RescalingState& s, const PressureState& state) {
  for (std::size_t a = 0; a < 3; ++a) s.work += 0.5 * state.virial[a] * s.strain[a];
}

/// Whether a barostat may multiply the length of the box along an axis by this factor in a step:
/// the widths of neighbour lists and halos assume a box that changes slowly.
GSIM_HD bool is_valid_stretch(double factor) { return factor > 0.9 && factor < 1.1; }
GSIM_HD bool is_valid_stretch(const Vector3& factor) {
  for (std::size_t a = 0; a < 3; ++a)
    if (!is_valid_stretch(factor[a])) return false;
  return true;
}

/// begin_step() of either kind; false, and the state unchanged, where a host reports an error.
GSIM_HD bool begin_step(md::BarostatState& s, const PressureState& state, Index step,
                        BoxStep& result) {
  using Kind = md::BarostatState::Kind;
  if (s.kind == Kind::mtk) {
    MtkState next = s.mtk;
    result = begin_step(next, state);
    if (!is_valid_stretch(result.stretch)) return false;
    s.mtk = next;
    return true;
  }
  RootGrowth growth[3];
  for (int a = 0; a < (s.rescaling.is_isotropic != 0 ? 1 : 3); ++a) {
    growth[a] = root_growth(s.rescaling, state, a, step);
    if (!(abs(growth[a].change) < RootGrowth::limit)) return false;
  }
  RescalingState next = s.rescaling;
  result = begin_step(next, state, growth);
  if (!is_valid_stretch(result.stretch)) return false;
  s.rescaling = next;
  return true;
}
GSIM_HD HalfKick end_kick(const md::BarostatState& s) {
  return s.kind == md::BarostatState::Kind::mtk ? end_kick(s.mtk) : HalfKick{};
}
GSIM_HD void end_step(md::BarostatState& s, const PressureState& state) {
  if (s.kind == md::BarostatState::Kind::mtk)
    end_step(s.mtk, state);
  else
    end_step(s.rescaling, state);
}

}  // namespace md_kernels
GSIM_TARGET_END
