#pragma once
// Modes of the Laplacian on a grid of cells, which keep their form while they decay by the heat
// equation.
//
// Along each axis, with n cells of edge h, cell i has the value
//   periodic                     cos(2 pi m (i + 1/2) / n)        k = 2 pi m / (n h)
//   no flux at both ends         cos(pi m (i + 1/2) / n)          k = pi m / (n h)
//   0 at both ends               sin(pi m (i + 1/2) / n)          k = pi m / (n h)
//   0 at the lower end only      sin(pi (m - 1/2) (i + 1/2) / n)  k = pi (m - 1/2) / (n h)
//   0 at the upper end only      cos(pi (m - 1/2) (i + 1/2) / n)  k = pi (m - 1/2) / (n h)
// where the ends are the faces of the grid, half a cell from centres of cells. The second
// difference of each is -4 sin^2(k h / 2) times itself, ghosts included (gsim::FaceRule), so that
// one step of the explicit method multiplies the mode by exactly
//   1 - sum over axes of (4 D dt / h^2) sin^2(k h / 2)
// and the heat equation itself by exp(-D k^2 dt); see Strikwerda, Finite Difference Schemes and
// Partial Differential Equations (2nd ed. 2004), section 6.3.

#include <array>
#include <string>
#include <vector>

#include "heat_config.hpp"

namespace heat {

class Mode {
 public:
  /// The mode of config.waves. InputError where it does not exist for the boundary conditions: a
  /// fixed value other than the background, values fixed in ghosts, or mode number 0 between fixed
  /// ends.
  explicit Mode(const HeatConfig& config);

  /// The values along each axis at each cell; the mode is their product.
  const std::array<std::vector<double>, 3>& along() const { return along_; }
  /// The sum over all cells of the square of the mode.
  double sum_of_squares() const { return sum_of_squares_; }
  /// The factor by which one step of the explicit method multiplies the mode.
  double step_factor() const { return step_factor_; }
  /// The factor by which the heat equation multiplies the mode in the time of `steps` steps.
  double decay(Index steps) const;

 private:
  std::array<std::vector<double>, 3> along_;
  double sum_of_squares_ = 1, step_factor_ = 1, rate_ = 0;  // rate: D k^2 dt
};

}  // namespace heat
