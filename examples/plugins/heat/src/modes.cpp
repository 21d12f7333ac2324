#include "modes.hpp"

#include <string>

#include <gsim/core/error.hpp>
#include <gsim/math/exp.hpp>
#include <gsim/math/policy.hpp>
#include <gsim/math/trig.hpp>

namespace heat {
namespace {

using gsim::FaceRule;
using gsim::Strict;

constexpr double pi = 3.14159265358979323846;

/// The factor of a mode along one axis at cell i of n: sin or cos of
/// pi * half_waves * (2 i + 1) / (2 n).
struct AxisFunction {
  double half_waves = 0;
  bool is_sine = false;
};

AxisFunction function_along(const HeatConfig& config, std::size_t axis) {
  const auto waves = static_cast<double>(config.waves[axis]);
  if (config.grid.boundaries[axis] == gsim::Boundary::periodic) return {2 * waves, false};
  bool is_fixed[2];
  for (std::size_t side = 0; side < 2; ++side) {
    const gsim::FaceCondition& face = config.grid.faces[axis][side];
    is_fixed[side] = face.rule == FaceRule::face_value;
    GSIM_VALIDATE(
        face.rule == FaceRule::zero_gradient || (is_fixed[side] && face.value == config.background),
        "a mode decays to the background temperature, but a boundary has another temperature",
        "fix the temperature on the face (`fixed`) at start.background, or start from "
        "a box");
  }
  GSIM_VALIDATE(!(is_fixed[0] || is_fixed[1]) || waves >= 1,
                "a mode of 0 waves does not exist along an axis with fixed temperature",
                "set start.waves to 1 or more along that axis");
  if (is_fixed[0] != is_fixed[1]) return {waves - 0.5, is_fixed[0]};
  return {waves, is_fixed[0]};
}

}  // namespace

Mode::Mode(const HeatConfig& config) {
  for (std::size_t a = 0; a < 3; ++a) {
    const AxisFunction function = function_along(config, a);
    const auto n = static_cast<double>(config.grid.cells[a]);
    double square = 0;
    for (Index i = 0; i < config.grid.cells[a]; ++i) {
      const auto at =
          gsim::sincospi<Strict>(function.half_waves * (2 * static_cast<double>(i) + 1) / (2 * n));
      along_[a].push_back(function.is_sine ? at.sin : at.cos);
      square += along_[a].back() * along_[a].back();
    }
    sum_of_squares_ *= square;
    const double half = gsim::sincospi<Strict>(function.half_waves / (2 * n)).sin;
    step_factor_ -= 4 * config.diffusion_number(a) * half * half;
    const double k = pi * function.half_waves / (n * config.grid.spacing[a]);
    rate_ += config.diffusivity * k * k * config.time_step;
  }
}

double Mode::decay(Index steps) const {
  return gsim::exp<Strict>(-rate_ * static_cast<double>(steps));
}

}  // namespace heat
