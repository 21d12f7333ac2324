#pragma once
// The long-range part of Coulomb's law by Ewald's sum over waves: what is left when pairs count
// k q_i q_j erfc(alpha r) / r within their cutoff.
//
// U = waves (wave_weights.hpp) - k alpha / sqrt(pi) sum q^2 (each charge with its own screen)
//     - pi k Q^2 / (2 V alpha^2) (a uniform background that neutralises the total charge Q)
//     - k q_i q_j erf(alpha r) / r of every pair that pair lists leave out.
// What surrounds the periodic sample is a conductor ("tin foil"): there is no dipole term.
//
// Every rank adds up what its own atoms give to the structure factors, in integers; one reduction
// over ranks gives all of them the same sums, from which each computes the forces on its atoms.

#include <functional>
#include <string>
#include <vector>

#include "gsim/exec/array.hpp"
#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/long_range/charge_sums.hpp"
#include "src/modules/md/long_range/excluded_correction.hpp"
#include "src/modules/md/long_range/k_vector_weights.hpp"

namespace gsim::md {

struct EwaldParameters {
  double alpha =
      0;  ///< inverse length: screening charges are Gaussians of width 1 / (sqrt(2) alpha)
  WaveRange range;     ///< stays the same when the box changes
  double coulomb = 1;  ///< Units::coulomb
};

class Ewald : public ForceTerm {
 public:
  /// `charges` are those of all ranks' atoms; `exclusions`, where not null, are those of the
  /// simulation, up to date whenever rebuild() is called. InputError for a box that is open
  /// somewhere, alpha <= 0, or no charges.
  Ewald(Executor executor, const Box& box, const EwaldParameters& parameters,
        const ChargeSums& charges, const Exclusions* exclusions = nullptr);

  std::vector<std::string> energy_names() const override { return {"coulomb_long"}; }
  std::string_view region() const override { return "waves"; }
  double reach() const override { return 0; }
  LargestForce largest() const override;
  void set_quanta(const ForceQuanta& quanta) override { quanta_ = quanta; }
  void rebuild(const ForceContext& context) override;
  void box_changed(const Box& box) override;
  void compute(const ForceContext& context, ForceSums& sums) override;

  /// Energy and virial of the waves alone at the last compute() with sums; the same on every rank.
  const WaveEnergy& fourier() const { return fourier_; }
  double self_energy() const;
  double background_energy() const;
  const WaveSet& waves() const { return waves_; }

 private:
  WavePoints points() const;
  WaveAtoms atoms(Particles& particles);
  void add_up(const ForceContext& context);
  void add_forces(const ForceContext& context);
  void add_sums(const ForceContext& context, ForceSums& sums);

  Executor executor_;
  EwaldParameters parameters_;
  ChargeSums charges_;
  const Exclusions* exclusions_;
  Box box_;
  WaveSet waves_;
  WaveWeights weights_;
  ExcludedCorrection correction_;
  ForceQuanta quanta_;
  double charge_quantum_;
  WaveEnergy fourier_;
  Array<WaveColumn> columns_;
  Array<std::uint64_t> workspace_, overflow_;
  Array<std::int64_t> device_sums_;
  Array<double> device_coefficients_;
  std::vector<std::int64_t> sums_;
  std::vector<double> coefficients_;
};

}  // namespace gsim::md
