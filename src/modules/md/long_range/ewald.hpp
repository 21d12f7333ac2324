#pragma once
// The long-range part of Coulomb's law by Ewald's sum. The pair potentials contribute
// k q_i q_j erfc(alpha r) / r within their cutoff (k: Coulomb's constant); the rest is
//
// U = the sum over k-vectors (k_vector_weights.hpp)
//     - k alpha / sqrt(pi) sum q^2 (the self-energy of the screening charges)
//     - pi k Q^2 / (2 V alpha^2) (a uniform background that neutralises the total charge Q)
//     - k q_i q_j erf(alpha r) / r of every pair that is excluded from the pair lists,
// with conducting ("tin-foil") boundary conditions: there is no dipole term.
//
// Every rank computes the contribution of its own atoms to the structure factors, in integers; one
// reduction over ranks gives the sums, from which each rank computes the forces on its atoms.

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
  double alpha = 0;    ///< 1/length; the screening charges are Gaussians of standard deviation 1 /
                       ///< (sqrt(2) alpha)
  KVectorRange range;  ///< stays the same when the box changes
  double coulomb = 1;  ///< Units::coulomb
};

/// The force term of the sum over k-vectors.
class Ewald : public ForceTerm {
 public:
  /// `charges` are the sums over all ranks. `exclusions`, if not null, are those of the simulation
  /// and must be up to date when rebuild() is called. InputError for a box with an open axis, alpha
  /// <= 0, or no charges.
  Ewald(Executor executor, const Box& box, const EwaldParameters& parameters,
        const ChargeSums& charges, const Exclusions* exclusions = nullptr);

  std::vector<std::string> energy_names() const override { return {"coulomb_long"}; }
  std::string_view region() const override { return "reciprocal"; }
  double reach() const override { return 0; }
  LargestForce largest() const override;
  void set_quanta(const ForceQuanta& quanta) override { quanta_ = quanta; }
  void rebuild(const ForceContext& context) override;
  void box_changed(const Box& box) override;
  void compute(const ForceContext& context, ForceSums& sums) override;

  /// Energy and virial of the sum over k-vectors without corrections, from the last compute() with
  /// sums; the same on every rank.
  const ReciprocalEnergy& fourier() const { return fourier_; }
  double self_energy() const;
  double background_energy() const;
  const KVectorSet& k_vectors() const { return k_vectors_; }

 private:
  KVectorPoints points() const;
  EwaldAtoms atoms(Particles& particles);
  void compute_structure_factors(const ForceContext& context);
  void add_forces(const ForceContext& context);
  void add_sums(const ForceContext& context, ForceSums& sums);

  Executor executor_;
  EwaldParameters parameters_;
  ChargeSums charges_;
  const Exclusions* exclusions_;
  Box box_;
  KVectorSet k_vectors_;
  KVectorWeights weights_;
  ExcludedCorrection correction_;
  ForceQuanta quanta_;
  double charge_quantum_;  // unit of the sums over atoms
  ReciprocalEnergy fourier_;
  Array<KVectorColumn> columns_;
  Array<std::uint64_t> workspace_;  // ewald_workspace() words for either kernel
  Array<std::uint64_t> overflow_;   // lowest id of an atom whose force is out of range; one element
  Array<std::int64_t> device_sums_;
  Array<double> device_coefficients_;
  std::vector<std::int64_t> sums_;    // StructureFactorJob::sums over all ranks
  std::vector<double> coefficients_;  // ReciprocalForceJob::coefficients
};

}  // namespace gsim::md
