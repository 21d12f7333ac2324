#pragma once
// Barostats: what they do to the box, and how atoms move while it changes. Atoms are fractions of
// the box vectors, so a box that changes takes them along; the barostat says what else happens. All
// quantities are in energy units and replicated: every rank computes the same.

#include <memory>
#include <string>

#include "gsim/domain/box.hpp"
#include "gsim/io/dataset.hpp"
#include "kernels/md/integrators/advance.hpp"
#include "src/modules/md/integrators/motion_config.hpp"

namespace gsim::md {

/// What a barostat knows of the system at the end of a step, x, y and z.
struct PressureState {
  Vector3 kinetic{};    ///< sum of m v_a^2
  Vector3 virial{};     ///< sum of r_a F_a
  Vector3 lengths{};    ///< of the box
  double thermal = 0;   ///< kB T
  double pressure = 0;  ///< target, energy per volume
  double volume() const { return lengths[0] * lengths[1] * lengths[2]; }
};

/// How a step begins: half a kick, a drift, a new box.
struct BoxStep {
  KickShape kick;
  /// A velocity v moves atoms by drift v dt / L with the length L before the step, as fractions.
  Vector3 drift{1, 1, 1};
  /// The same for half a step; the second half is `later` times as much.
  Vector3 half_drift{1, 1, 1}, later{1, 1, 1};
  Vector3 stretch{1, 1, 1};  ///< of the box
};

class Barostat {
 public:
  virtual ~Barostat() = default;

  /// Before the first step; `state` needs no sums of atoms.
  virtual void start(const PressureState& state) = 0;
  virtual BoxStep begin_step(const PressureState& state, Index step) = 0;
  /// Half a kick with the new forces.
  virtual KickShape end_kick() const = 0;
  /// After that kick, before thermostats.
  virtual void end_step(const PressureState& state, Index step) = 0;
  /// The barostat's part of the conserved quantity. A ramp of the pressure conserves it, too.
  virtual double energy(double volume) const = 0;

  virtual void save(DatasetWriter& writer, const std::string& path) const = 0;
  virtual void restore(DatasetReader& reader, const std::string& path) = 0;
};

/// The barostat of `config` for atoms with `freedom` degrees of freedom. `compressibility` in
/// 1/(energy per volume).
std::unique_ptr<Barostat> make_barostat(const BarostatConfig& config, double compressibility,
                                        double freedom, double time_step, std::uint64_t seed);

/// Throws InputError for a box that the barostat cannot change: one with an open axis, or a
/// triclinic one where each length shall change by itself.
void refuse_box(const BarostatConfig& config, const Box& box);

}  // namespace gsim::md
