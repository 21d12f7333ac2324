#include "src/modules/md/barostats/cell_rescaling.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/math/exp.hpp"
#include "gsim/math/log.hpp"
#include "gsim/random/normal.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::md {

CellRescaling::CellRescaling(const BarostatSetup& setup, double time, double compressibility)
    : is_isotropic_(setup.coupling == Coupling::isotropic),
      mobility_(compressibility * setup.time_step / time),
      key_(stream_key({setup.seed, Purpose::md_barostat})) {}

double CellRescaling::logarithmic_growth(const PressureState& state, int axis, Index step) const {
  const double volume = state.volume();
  double internal_pressure = 0, drift_factor = 0.5, noise_factor = 0.5;
  if (is_isotropic_) {
    for (std::size_t a = 0; a < 3; ++a)
      internal_pressure += (state.kinetic[a] + state.virial[a]) / (3 * volume);
  } else {
    const auto a = static_cast<std::size_t>(axis);
    internal_pressure = (state.kinetic[a] + state.virial[a]) / volume;
    drift_factor = noise_factor = 1.0 / 6.0;
  }
  // The Euler step dx / x of x = sqrt(V) or x = sqrt(L) (see the header). With V = A x^2 (A = 1 for
  // x = sqrt(V)), the noise of dx / x has the standard deviation sqrt(noise_factor kB T b dt / (tau
  // V)) in both cases.
  const double normal = normals<double, Strict>(
      philox_block(key_, static_cast<std::uint64_t>(axis), static_cast<std::uint64_t>(step), 0))[0];
  const double drift = -drift_factor * mobility_ *
                       (state.pressure - internal_pressure - 0.5 * state.thermal / volume);
  const double change =
      drift + std::sqrt(state.thermal * mobility_ * noise_factor / volume) * normal;
  // x is a square root, so that the volume or length changes by twice this fraction.
  if (!(std::abs(change) < 0.05))
    throw NumericalError(fmt::format(
        "the box would change by more than a tenth in one step (the pressure is {:.4g} "
        "times the target); choose a longer time or a smaller compressibility of the barostat, or "
        "start from a density closer to the final one",
        internal_pressure / state.pressure));
  return 2 * log1p<Strict>(change);
}

BoxStep CellRescaling::begin_step(const PressureState& state, Index step) {
  if (is_isotropic_) {
    const double growth = logarithmic_growth(state, 0, step) / 3;
    strain_ = {growth, growth, growth};
  } else {
    for (int a = 0; a < 3; ++a)
      strain_[static_cast<std::size_t>(a)] = logarithmic_growth(state, a, step);
  }
  BoxStep result;
  for (std::size_t a = 0; a < 3; ++a) {
    const double stretch = exp<Strict>(strain_[a]);
    result.stretch[a] = stretch;
    result.kick.decay[a] = 1 / stretch;
    result.drift[a] = result.half_drift[a] = 1 / stretch;
    work_ -= 0.5 * state.kinetic[a] * expm1<Strict>(-2 * strain_[a]);
    work_ += 0.5 * state.virial[a] * strain_[a];
  }
  return result;
}

void CellRescaling::end_step(const PressureState& state, Index /*step*/) {
  for (std::size_t a = 0; a < 3; ++a) work_ += 0.5 * state.virial[a] * strain_[a];
}

void CellRescaling::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path, work_);
}
void CellRescaling::restore(DatasetReader& reader, const std::string& path) {
  work_ = reader.read_value<double>(path);
}

BarostatPlan cell_rescaling_barostat(double time, double compressibility) {
  return {.make =
              [=](const BarostatSetup& setup) {
                return std::make_unique<CellRescaling>(setup, time,
                                                       compressibility * setup.pressure_unit);
              },
          .time = time};
}

namespace {

BarostatPlan describe_cell_rescaling(Section& s) {
  double time = 0, compressibility = 0;
  s.required("time", time,
             {.doc = "relaxation time of the pressure",
              .unit = "time",
              .minimum = 0,
              .exclusive_minimum = true});
  s.required("compressibility", compressibility,
             {.doc = "estimate of the isothermal compressibility; with `time` it determines "
                     "how fast the volume changes, not its mean",
              .unit = "1/pressure",
              .minimum = 0,
              .exclusive_minimum = true});
  return cell_rescaling_barostat(time, compressibility);
}

}  // namespace

void register_cell_rescaling(Registry& registry) {
  registry.extend(BarostatKind{
      "stochastic_cell_rescaling",
      "overdamped stochastic dynamics of the volume, which samples the isothermal-isobaric "
      "ensemble (Bernetti and Bussi 2020)",
      describe_cell_rescaling});
}

}  // namespace gsim::md
