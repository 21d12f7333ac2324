#pragma once
// Counter-rotating vortices in a periodic plane (Taylor and Green 1937): an exact solution of the
// incompressible Navier-Stokes equations. With coordinates a and b in the plane, wave numbers p and
// q along them, and viscosity v,
//   velocity along a   -speed sqrt(q/p) cos(p a) sin(q b) d
//   velocity along b    speed sqrt(p/q) sin(p a) cos(q b) d        d = exp(-v (p^2 + q^2) t)
//   pressure           -(density speed^2 / 4) ((q/p) cos(2 p a) + (p/q) cos(2 q b)) d^2

#include <array>
#include <vector>

#include "lattice.hpp"
#include "lbm_config.hpp"

namespace lbm {

class Vortices {
 public:
  explicit Vortices(const LbmConfig& config);

  /// Cosines and sines at the centres of cells along the plane's axes.
  const std::vector<double>& cosine(int axis) const {
    return cosine_[static_cast<std::size_t>(axis)];
  }
  const std::vector<double>& sine(int axis) const { return sine_[static_cast<std::size_t>(axis)]; }
  /// Amplitudes of the mode's velocity, for speed 1: along the first axis scale[0] cosine(0)
  /// sine(1), along the second scale[1] sine(0) cosine(1).
  const std::array<double, 2>& scale() const { return scale_; }
  /// Sum over all cells of the square of the mode's velocity, speed being 1.
  double square() const { return square_; }
  /// The factor by which the velocity has decayed after `steps` steps.
  double decay(Index steps) const;

  /// Populations of a cell at step 0, after their collision: the equilibrium for the density and
  /// velocity of the solution, and the non-equilibrium part due to the gradients of the velocity,
  /// -weight (density / even_rate) 3 sum over a, b of (c_a c_b - delta_ab / 3) d u_b / d x_a, with
  /// LbmConfig::even_rate()
  /// (Skordos 1993; Krueger et al., The Lattice Boltzmann Method (2017), section 5.5).
  /// Without that part the error of the first step would differ from that of all other steps.
  std::array<double, populations> start(const gsim::Cell& cell) const;

 private:
  VorticesConfig config_;
  std::array<double, 2> wave_number_{}, scale_{};
  std::array<std::vector<double>, 2> cosine_, sine_;
  double square_ = 0, decay_rate_ = 0, even_rate_ = 1;
};

}  // namespace lbm
