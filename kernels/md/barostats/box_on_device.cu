#if defined(__CUDACC__)  // hosts compute barostats without kernels
#include "kernels/md/barostats/box_on_device.hpp"
#include "kernels/md/integrators/advance_matrix.hpp"
#include "kernels/md/neighbour_lists/shrinkage.hpp"

GSIM_TARGET_BEGIN
namespace md_kernels {

struct StepBox {
  md::BoxStepArgs args;

  GSIM_HD void operator()(Index) const {
    md::BoxMemory& m = *args.memory;
    if (args.ends && m.failed_step < 0) end(m);
    if (args.begins && m.failed_step < 0) begin(m);
  }

 private:
  GSIM_HD void end(md::BoxMemory& m) const {
    PressureState state;
    state.lengths = m.lengths;
    state.thermal = args.end_thermal;
    state.pressure = args.end_pressure;
    for (int a = 0; a < 3; ++a)
      state.kinetic[static_cast<std::size_t>(a)] =
          static_cast<double>(args.kinetic[a]) * args.kinetic_quantum;
    for (int k = 0; k < 9; ++k) args.kinetic[k] = 0;
    take_virial(m, state.virial);
    m.virial = state.virial;
    end_step(m.barostat, state);
    double factor = 1;
    if (m.thermostat.kind != md::ThermostatState::Kind::none) {
      const double twice_kinetic = state.kinetic[0] + state.kinetic[1] + state.kinetic[2];
      factor = scale_group(m.thermostat, twice_kinetic, args.end_thermal, args.ended_step);
      if (m.thermostat.fault_step >= 0) return fail(m, args.ended_step);
    }
    for (std::size_t a = 0; a < 3; ++a) m.kinetic[a] = state.kinetic[a] * (factor * factor);
    for (Index c = 0; c < args.scale.size; ++c) args.scale[c] = {factor, {0, 0, 0}};
  }

  /// The virial of all forces; sets their sums to zero.
  GSIM_HD void take_virial(const md::BoxMemory& m, Vector3& virial) const {
    WideInteger twice[3] = {};
    for (int k = 0; k < args.forces.kinds; ++k) {
      const md::DeviceSums& of = args.forces.sums[k];
      const WideInteger factor = of.copies * (WideInteger{1} << of.shift);
      for (int a = 0; a < 3; ++a) twice[a] += of.sums[1 + a] * factor;
      for (int t = 0; t < md::DeviceSums::count; ++t) of.sums[t] = 0;
    }
    const auto tail = static_cast<WideInteger>(
        round_even(2 * tail_pressure_volume(m) / args.forces.energy_quantum));
    for (std::size_t a = 0; a < 3; ++a)
      virial[a] = static_cast<double>(twice[a] + tail) * (0.5 * args.forces.energy_quantum);
  }
  GSIM_HD double tail_pressure_volume(const md::BoxMemory& m) const {
    constexpr double two_pi = 6.28318530717958647693;
    const double volume = m.lengths[0] * m.lengths[1] * m.lengths[2];
    double sum = 0;
    for (Index k = 0; k < args.forces.tail.pairs.size; ++k)
      sum += two_pi / (3 * volume) * args.forces.tail.pairs[k] * args.forces.tail.pressure[k];
    return sum;
  }

  GSIM_HD void begin(md::BoxMemory& m) const {
    const PressureState state{m.kinetic, m.virial, m.lengths, args.thermal, args.pressure};
    BoxStep step;
    if (!begin_step(m.barostat, state, args.begun_step, step)) return fail(m, args.begun_step);
    set_motion(m, step);
    for (std::size_t a = 0; a < 3; ++a) m.lengths[a] = m.lengths[a] * step.stretch[a];
    m.tilts = {m.tilts[0] * step.stretch[0], m.tilts[1] * step.stretch[0],
               m.tilts[2] * step.stretch[1]};
    const double matrix[6] = {m.lengths[0], m.lengths[1], m.lengths[2],
                              m.tilts[0],   m.tilts[1],   m.tilts[2]};
    for (int k = 0; k < 6; ++k) m.box.matrix[k] = matrix[k];
    const double allowed =
        least_width(matrix) < args.forces.least_width
            ? -1
            : allowed_move(args.forces.listed, matrix, args.forces.cutoff, args.forces.skin);
    const double aged = aging_share * allowed;
    m.box.allowed2 = allowed < 0 ? -1.0f : static_cast<float>(allowed * allowed);
    m.box.aging2 = allowed < 0 ? -1.0f : static_cast<float>(aged * aged);
  }

  /// The kicks and the drift of a step, in the box before it changes.
  GSIM_HD void set_motion(md::BoxMemory& m, const BoxStep& step) const {
    constexpr double unit = 1.0 / 18446744073709551616.0;  // 2^-64
    double matrix[6];
    for (std::size_t k = 0; k < 3; ++k) {
      matrix[k] = m.lengths[k] * unit;
      matrix[3 + k] = m.tilts[k] * unit;
    }
    advance_matrix(matrix, args.time_step, step.drift, m.step.advance);
    advance_matrix(matrix, 0.5 * args.time_step, step.half_drift, m.step.half_advance);
    for (int a = 0; a < 3; ++a)
      m.step.second_half_factor[a] = step.second_half_factor[static_cast<std::size_t>(a)];
    m.step.kick = step.kick;
    m.step.end_kick = end_kick(m.barostat);
  }

  /// Box::width(), of the narrowest axis.
  GSIM_HD static double least_width(const double* m) {
    const double lx = m[0], ly = m[1], lz = m[2], xy = m[3], xz = m[4], yz = m[5];
    const double y = xy * lz, z = xy * yz - ly * xz;
    const double first = lx * ly * lz / sqrt(ly * lz * (ly * lz) + y * y + z * z);
    const double second = ly * lz / sqrt(lz * lz + yz * yz);
    const double smaller = first < second ? first : second;
    return smaller < lz ? smaller : lz;
  }

  /// Leaves the rest to the host, which finds that lists must be rebuilt.
  GSIM_HD static void fail(md::BoxMemory& m, Index step) {
    m.failed_step = step;
    m.box.allowed2 = m.box.aging2 = -1;
  }
};

}  // namespace md_kernels
GSIM_TARGET_END

GSIM_DEFINE_LAUNCHER(md_step_box, md::BoxStepArgs) {
  launch(executor, "barostat", 1, md_kernels::StepBox{args});
}
#endif
