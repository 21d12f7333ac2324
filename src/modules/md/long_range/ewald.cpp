#include "src/modules/md/long_range/ewald.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/math/scalar.hpp"
#include "gsim/md/forces/lowest_id.hpp"

namespace gsim::md {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double root_pi = 1.77245385090551602730;

/// The quantum for which each charge is below 2^51 quanta and the sum of all |q| below 2^60 quanta,
/// so that the sum of four such sums, a structure factor, fits into 64 bits.
double quantum_for(const ChargeSums& charges) {
  return std::ldexp(1.0,
                    std::max(std::ilogb(charges.largest) - 49, std::ilogb(charges.absolute) - 59));
}

/// Returns `charges`. InputError for a system or parameters that Ewald's sum does not allow.
const ChargeSums& checked(const ChargeSums& charges, const Box& box, double alpha) {
  GSIM_VALIDATE(charges.largest > 0, "Ewald's sum: no atom has a charge",
                "give charges, or leave [coulomb] out");
  GSIM_VALIDATE(alpha > 0 && std::isfinite(alpha),
                fmt::format("Ewald's sum: alpha = {} is not a positive number", alpha),
                "give an accuracy instead");
  for (int axis = 0; axis < 3; ++axis)
    GSIM_VALIDATE(box.boundary(axis) == Boundary::periodic,
                  fmt::format("Ewald's sum needs a periodic box, and axis {} is open", "xyz"[axis]),
                  "make all boundaries periodic, or choose another method in [coulomb]");
  return charges;
}

/// Twice a real number in quanta.
ExactSum twice(double value, double quantum) {
  return ExactSum(static_cast<WideInteger>(round_even(2 * value / quantum)));
}

}  // namespace

Ewald::Ewald(Executor executor, const Box& box, const EwaldParameters& parameters,
             const ChargeSums& charges, const Exclusions* exclusions)
    : executor_(std::move(executor)),
      parameters_(parameters),
      charges_(checked(charges, box, parameters.alpha)),
      exclusions_(exclusions),
      box_(box),
      k_vectors_(parameters.range),
      weights_(k_vectors_, box, parameters.alpha, parameters.coulomb),
      correction_(executor_, parameters.alpha, parameters.coulomb),
      charge_quantum_(quantum_for(charges)),
      columns_(executor_, std::span<const KVectorColumn>(k_vectors_.columns())),
      workspace_(executor_, 0),
      overflow_(executor_, 1),
      device_sums_(executor_, sums_per_point * Index{k_vectors_.points()}),
      device_coefficients_(executor_, 16 * Index{k_vectors_.points()}),
      sums_(static_cast<std::size_t>(device_sums_.size())) {}

// The force of a Gaussian charge on another charge is at most 0.43 k q^2 alpha^2; the factor of 64
// allows for many charges that act in the same direction.
LargestForce Ewald::largest() const {
  const double q2 = parameters_.coulomb * charges_.largest * charges_.largest;
  const double alpha = parameters_.alpha;
  return {64 * q2 * alpha * alpha, 2 * q2 * alpha};
}

double Ewald::self_energy() const {
  return -parameters_.coulomb * parameters_.alpha / root_pi * charges_.squares;
}

double Ewald::background_energy() const {
  const double alpha = parameters_.alpha;
  return -pi * parameters_.coulomb * charges_.total * charges_.total /
         (2 * box_.volume() * alpha * alpha);
}

void Ewald::rebuild(const ForceContext& context) {
  if (exclusions_ != nullptr)
    context.communicator.agree([&] { correction_.rebuild(context, *exclusions_); });
  const Index words = ewald_workspace(points(), executor_.is_cuda(), executor_.threads(),
                                      context.particles.locals());
  if (words > workspace_.size()) workspace_.resize_discard(words);
}

void Ewald::box_changed(const Box& box) {
  box_ = box;
  weights_ = KVectorWeights(k_vectors_, box, parameters_.alpha, parameters_.coulomb);
}

KVectorPoints Ewald::points() const {
  const auto& n = k_vectors_.max_n();
  return {columns_.view(), k_vectors_.points(), {n[0], n[1], n[2]}};
}

EwaldAtoms Ewald::atoms(Particles& p) {
  const Index n = p.locals();
  return {{p.positions().data, n}, {p.store.view<double>(p.charge).data, n}, workspace_.view()};
}

void Ewald::compute(const ForceContext& context, ForceSums& sums) {
  compute_structure_factors(context);
  weights_.coefficients(sums_, charge_quantum_, coefficients_);
  if (context.with_sums) add_sums(context, sums);
  ExactSum ignored[7];
  correction_.compute(context, quanta_, context.with_sums ? sums.energy[0] : ignored[0],
                      context.with_sums ? sums.virial : ignored + 1);
  add_forces(context);
}

void Ewald::compute_structure_factors(const ForceContext& context) {
  md_structure_factors(
      executor_, {atoms(context.particles), points(), 1 / charge_quantum_, device_sums_.view()});
  executor_.copy_to_host(sums_.data(), device_sums_.view().data, sums_.size() * sizeof(sums_[0]));
  context.communicator.backend().allreduce(std::span<std::int64_t>(sums_), ReduceOp::sum);
}

void Ewald::add_forces(const ForceContext& context) {
  Particles& p = context.particles;
  device_coefficients_.assign(coefficients_);
  overflow_.assign(std::span<const std::uint64_t>(&no_particle, 1));
  ReciprocalForceJob job;
  job.atoms = atoms(p);
  job.k_vectors = points();
  job.ids = {p.ids().data, p.locals()};
  job.coefficients = device_coefficients_.view();
  const auto reciprocal = reciprocal_vectors(box_);
  for (std::size_t a = 0; a < 6; ++a) job.gradient[a] = -reciprocal[a] / quanta_.force;
  job.force = p.store.elements<std::int64_t>(p.force);
  job.overflow = overflow_.view().data;
  md_reciprocal_forces(executor_, job);
  const std::uint64_t faulty_atom = overflow_.to_host()[0];
  if (faulty_atom != no_particle)
    throw NumericalError(fmt::format(
        "the long-range Coulomb force on atom {} is out of range: too many charges are close to it",
        faulty_atom + 1));
}

// Energy and virial are the same on all ranks, so that only the root adds them.
void Ewald::add_sums(const ForceContext& context, ForceSums& sums) {
  fourier_ = weights_.energy(sums_, charge_quantum_);
  if (!context.communicator.is_root()) return;
  const double background = background_energy();
  sums.energy[0].add(twice(fourier_.energy + (self_energy() + background), quanta_.energy));
  // The energy of the background is proportional to 1 / V.
  for (std::size_t v = 0; v < 6; ++v)
    sums.virial[v].add(twice(fourier_.virial[v] + (v < 3 ? background : 0.0), quanta_.energy));
}

}  // namespace gsim::md
