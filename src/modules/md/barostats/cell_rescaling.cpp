#include "src/modules/md/barostats/cell_rescaling.hpp"

#include <cmath>

#include <fmt/format.h>

#include "gsim/config/section.hpp"
#include "gsim/core/error.hpp"
#include "gsim/engine/registry.hpp"
#include "gsim/random/stream.hpp"

namespace gsim::md {

CellRescaling::CellRescaling(const BarostatSetup& setup, double time, double compressibility) {
  state_.is_isotropic = setup.coupling == Coupling::isotropic ? 1 : 0;
  state_.mobility = compressibility * setup.time_step / time;
  state_.key = stream_key({setup.seed, Purpose::md_barostat});
}

BoxStep CellRescaling::begin_step(const PressureState& state, Index step) {
  md_kernels::RootGrowth growth[3];
  for (int a = 0; a < (state_.is_isotropic != 0 ? 1 : 3); ++a) {
    growth[a] = md_kernels::root_growth(state_, state, a, step);
    if (!(std::abs(growth[a].change) < md_kernels::RootGrowth::limit))
      throw NumericalError(fmt::format(
          "the box would change by more than a tenth in one step (the pressure is {:.4g} "
          "times the target); choose a longer time or a smaller compressibility of the barostat, "
          "or start from a density closer to the final one",
          growth[a].internal_pressure / state.pressure));
  }
  return md_kernels::begin_step(state_, state, growth);
}

void CellRescaling::end_step(const PressureState& state, Index /*step*/) {
  md_kernels::end_step(state_, state);
}

void CellRescaling::copy_to(BarostatState& state) const {
  state.kind = BarostatState::Kind::rescaling;
  state.rescaling = state_;
}

void CellRescaling::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path, state_.work);
}
void CellRescaling::restore(DatasetReader& reader, const std::string& path) {
  state_.work = reader.read_value<double>(path);
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
