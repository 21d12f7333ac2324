// The set-up of BondedForces: constants of the styles, reach of the interactions, largest forces.

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "kernels/md/bonded/bonded_launchers.hpp"
#include "kernels/md/bonded/dihedral_series.hpp"
#include "kernels/md/bonded/scaled_pairs.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"
#include "src/modules/md/pair_potentials/parameter_info.hpp"

namespace gsim::md {
namespace {

// The force in epsilon / sigma of a Lennard-Jones pair at 0.7 sigma, below which atoms overlap, and
// its virial in epsilon, which is larger than its energy.
constexpr double lj_force = 4664, lj_virial = 3265;
// The range of forces includes angles and dihedrals whose arms (the distances between consecutive
// atoms) are as short as this fraction of the longest arm, and dihedrals with three atoms nearly in
// line, down to this sine of their angle.
constexpr double min_arm_fraction = 1.0 / 8, min_sine = 0.01;
// The range of the Coulomb forces of 1-4 pairs suffices for charges up to this.
constexpr double largest_charge = 4;
// The largest force of a bond, which may diverge at max_length, is searched up to this fraction of
// max_length.
constexpr double max_length_fraction = 0.99;
// The range of energies and virials is 2^12 times the energies that are given to raise_largest()
// below. These are the energies of moderately deformed molecules; where forces reach their limits,
// energies are a few hundred times larger, which is within the range.

Index count(const std::vector<std::string>& labels) { return static_cast<Index>(labels.size()); }

template <class T>
void check_types(const char* kind, const std::vector<std::string>& labels,
                 const std::vector<T>& parameters) {
  GSIM_VALIDATE(labels.size() == parameters.size(),
                fmt::format("there are {} {} types, but parameters for {}", labels.size(), kind,
                            parameters.size()),
                "give parameters for every type");
}

/// InputError where a parameter is out of its range.
void check_values(const char* what, const BondedKind& kind, const std::vector<double>& values,
                  const std::string& label) {
  GSIM_VALIDATE(values.size() == kind.parameters.size(),
                fmt::format("{} type `{}` has {} parameters, and style {} has {}", what, label,
                            values.size(), kind.name, kind.parameters.size()),
                "give all parameters of the style");
  for (std::size_t k = 0; k < values.size(); ++k)
    if (const char* const problem = range_problem(kind.parameters[k], values[k]))
      throw InputError(fmt::format("{} type `{}` has {} = {}, which is {}", what, label,
                                   kind.parameters[k].name, values[k], problem));
}

void check_bond(const BondParameters& b, const std::string& label) {
  check_values("bond", *b.kind, b.values, label);
  GSIM_VALIDATE(std::isfinite(b.max_length) && b.max_length > 0,
                fmt::format("bond type `{}` has max_length = {}", label, b.max_length),
                "give a length above 0");
  if (b.kind->problem == nullptr) return;
  if (const char* const problem = b.kind->problem(b.values.data(), b.max_length))
    throw InputError(
        fmt::format("bond type `{}` has max_length = {}: {}", label, b.max_length, problem));
}

double sixth_power(double x) {
  const double x3 = x * x * x;
  return x3 * x3;
}

void launch_scaled_pairs(const Executor& executor, const BondedJob& job) {
  md_scaled_pairs(executor, job);
}
void launch_dihedrals(const Executor& executor, const BondedJob& job) {
  md_dihedrals(executor, job);
}
template <class Interaction>
bool is_fault(const BondedJob& job, const std::int32_t* rows, std::int32_t type) {
  return Interaction::template evaluate<false, double>(job, rows, type).is_fault;
}

template <class Parameters>
std::vector<double> coefficients_of(const Parameters& p) {
  std::vector<double> c(static_cast<std::size_t>(p.kind->size));
  p.kind->coefficients(p.values.data(), c.data());
  return c;
}
/// The kernel constants of all types: the coefficients of the style followed by the numbers that
/// `append` adds; zeros for types of other styles.
template <class Parameters, class Append>
std::vector<double> constants_of(const std::vector<Parameters>& types, const BondedKind* kind,
                                 std::size_t size, const Append& append) {
  std::vector<double> all;
  for (const Parameters& p : types) {
    std::vector<double> c;
    if (p.kind == kind) c = coefficients_of(p);
    if (p.kind == kind) append(p, c);
    c.resize(size);
    all.insert(all.end(), c.begin(), c.end());
  }
  return all;
}

/// The largest slope and energy at the points of a grid from `from` to `to`, times two to
/// allow for larger values between the points. InputError where they are not finite.
LargestForce largest_between(const BondedKind& kind, const std::vector<double>& c, double from,
                             double to, const std::string& label) {
  constexpr int steps = 64;
  LargestForce largest;
  for (int k = 0; k <= steps; ++k) {
    const double x = from + (to - from) * k / steps;
    const auto u = kind.energy_and_slope(x, c.data());
    const double energy = std::max(std::abs(u.energy), std::abs(x * u.slope));
    GSIM_VALIDATE(std::isfinite(u.slope) && std::isfinite(energy),
                  fmt::format("type `{}` has no finite energy or slope at {:.6g}", label, x),
                  "compare its parameters with the formula");
    largest.force = std::max(largest.force, 2 * std::abs(u.slope));
    largest.energy = std::max(largest.energy, 2 * energy);
  }
  return largest;
}

double longest_bond(const BondedParameters& p, const Topology& topology) {
  double longest = 0;
  if (!topology.bonds.empty())
    for (const BondParameters& b : p.bonds) longest = std::max(longest, b.max_length);
  return longest;
}

/// The longest distance of neighbouring atoms in angles and dihedrals.
double longest_arm(const BondedParameters& p, const Topology& topology) {
  return p.max_arm > 0 ? p.max_arm : longest_bond(p, topology);
}

/// Whether 1-4 pairs have factors other than 0 and 1.
bool has_scaled_pairs(const SpecialPairs& s) {
  const bool is_zero = s.scale_14 == 0 && s.coulomb_scale_14 == 0;
  const bool is_full = s.scale_14 == 1 && s.coulomb_scale_14 == 1;
  return !s.is_excluded[2] && !is_zero && !is_full;
}

}  // namespace

double bonded_reach(const BondedParameters& p, const Topology& topology) {
  const double bond = longest_bond(p, topology), arm = longest_arm(p, topology);
  double reach = has_scaled_pairs(p.special) ? 3 * bond : bond;
  if (!topology.angles.empty()) reach = std::max(reach, 2 * arm);
  if (!topology.dihedrals.empty()) reach = std::max(reach, 3 * arm);
  return reach;
}

BondedForces::BondedForces(Particles& particles, const Box& box, const Topology& topology,
                           Index atoms, BondedParameters parameters)
    : executor_(particles.store.executor()),
      topology_(topology),
      atoms_(atoms),
      parameters_(std::move(parameters)),
      box_matrix_(box.matrix(64)),
      labels_{topology_.bond_types, topology_.angle_types, topology_.dihedral_types},
      bonds_(particles.store, "bond", topology_.bonds, atoms, count(topology_.bond_types)),
      angles_(particles.store, "angle", topology_.angles, atoms, count(topology_.angle_types)),
      dihedrals_(particles.store, "dihedral", topology_.dihedrals, atoms,
                 count(topology_.dihedral_types)),
      special_(particles.store, topology_.bonds, atoms, parameters_.special),
      exclusions_(executor_),
      rows_(executor_),
      listed_{ListedTuples(executor_), ListedTuples(executor_), ListedTuples(executor_)},
      counts_(executor_, 0),
      summary_(executor_, 0) {
  check_types("bond", labels_[0], parameters_.bonds);
  check_types("angle", labels_[1], parameters_.angles);
  check_types("dihedral", labels_[2], parameters_.dihedrals);
  max_arm_ = longest_arm(parameters_, topology_);
  reach_ = bonded_reach(parameters_, topology_);
  GSIM_VALIDATE(
      max_arm_ > 0 || (angles_.empty() && dihedrals_.empty()),
      "there are angles or dihedrals, but no bonds whose max_length would limit the distances of "
      "their neighbouring atoms",
      "set [bonded] max_arm");
  if (!bonds_.empty()) add_bonds();
  if (!angles_.empty()) add_angles();
  if (!dihedrals_.empty()) add_dihedrals();
  add_scaled_pairs();
  const std::vector<std::int32_t>* const list_of[] = {&bond_list_, &angle_list_, &dihedral_list_};
  for (std::size_t kind = 0; kind < 3; ++kind)
    listed_[kind].list_of = Array<std::int32_t>(executor_, *list_of[kind]);
}

std::size_t BondedForces::add_energy(const char* name) {
  names_.emplace_back(name);
  return names_.size() - 1;
}

void BondedForces::raise_largest(double force, double energy) {
  largest_.force = std::max(largest_.force, force);
  largest_.energy = std::max(largest_.energy, energy);
}

void BondedForces::add_bonds() {
  bond_list_.assign(parameters_.bonds.size(), -1);
  const std::size_t energy = add_energy("bond");
  for (std::size_t t = 0; t < bond_list_.size(); ++t)
    if (bond_list_[t] < 0) add_bonds(*parameters_.bonds[t].kind, energy);
}

// For styles without `largest` the range of forces covers lengths from max_length / 8 on.
void BondedForces::add_bonds(const BondKind& kind, std::size_t energy) {
  const auto& types = parameters_.bonds;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const BondParameters& b = types[t];
    if (b.kind != &kind) continue;
    check_bond(b, labels_[0][t]);
    bond_list_[t] = static_cast<std::int32_t>(lists_.size());
    if (kind.largest != nullptr) {
      const auto largest = kind.largest(b.values.data(), b.max_length);
      raise_largest(largest.slope, largest.energy);
    } else {
      const LargestForce largest =
          largest_between(kind, coefficients_of(b), min_arm_fraction * b.max_length,
                          max_length_fraction * b.max_length, labels_[0][t]);
      raise_largest(largest.force, largest.energy);
    }
  }
  const auto append = [](const BondParameters& b, std::vector<double>& c) {
    c.push_back(b.max_length * b.max_length);
  };
  lists_.emplace_back(executor_, kind.launch, kind.is_fault, 2, energy,
                      constants_of(types, &kind, static_cast<std::size_t>(kind.size) + 1, append));
}

void BondedForces::add_angles() {
  angle_list_.assign(parameters_.angles.size(), -1);
  const std::size_t energy = add_energy("angle");
  for (std::size_t t = 0; t < angle_list_.size(); ++t)
    if (angle_list_[t] < 0) add_angles(*parameters_.angles[t].kind, energy);
}

void BondedForces::add_angles(const AngleKind& kind, std::size_t energy) {
  const auto& types = parameters_.angles;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (types[t].kind != &kind) continue;
    check_values("angle", kind, types[t].values, labels_[1][t]);
    angle_list_[t] = static_cast<std::int32_t>(lists_.size());
    if (kind.largest != nullptr) {
      const auto largest = kind.largest(types[t].values.data(), 0);
      raise_largest(largest.slope / (min_arm_fraction * max_arm_), largest.energy);
    } else {
      const LargestForce largest =
          largest_between(kind, coefficients_of(types[t]), -1, 1, labels_[1][t]);
      raise_largest(largest.force / (min_arm_fraction * max_arm_), 2 * largest.energy);
    }
  }
  const auto append = [](const AngleParameters&, std::vector<double>&) {};
  lists_.emplace_back(executor_, kind.launch, kind.is_fault, 3, energy,
                      constants_of(types, &kind, static_cast<std::size_t>(kind.size), append));
}

void BondedForces::add_dihedrals() {
  const auto& types = parameters_.dihedrals;
  std::size_t order = 0;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const DihedralSeries& d = types[t];
    double slope = 0;
    for (std::size_t m = 0; m < d.cosine.size(); ++m)
      slope += static_cast<double>(m + 1) * (std::abs(d.cosine[m]) + std::abs(d.sine[m]));
    GSIM_VALIDATE(std::isfinite(slope),
                  fmt::format("dihedral type `{}` has an infinite coefficient", labels_[2][t]),
                  "give numbers");
    order = std::max(order, d.cosine.size() - 1);
    raise_largest(slope / (min_arm_fraction * max_arm_ * min_sine), slope);
  }
  std::vector<double> constants;
  for (const DihedralSeries& d : types) {
    constants.push_back(d.cosine[0]);
    for (std::size_t m = 1; m <= order; ++m) {
      constants.push_back(m < d.cosine.size() ? d.cosine[m] : 0.0);
      constants.push_back(m < d.sine.size() ? d.sine[m] : 0.0);
    }
  }
  dihedral_list_.assign(types.size(), static_cast<std::int32_t>(lists_.size()));
  lists_.emplace_back(executor_, launch_dihedrals, is_fault<md_kernels::Dihedral>, 4,
                      add_energy("dihedral"), constants, static_cast<int>(order));
}

void BondedForces::add_scaled_pairs() {
  const SpecialPairs& s = parameters_.special;
  const ScaledPairParameters& p = parameters_.pairs;
  GSIM_VALIDATE(std::isfinite(s.scale_14) && std::isfinite(s.coulomb_scale_14),
                "the scale of 1-4 pairs is not finite", "give numbers");
  if (special_.empty() || !has_scaled_pairs(s)) return;
  const auto pairs = static_cast<std::size_t>(p.types * p.types);
  GSIM_VALIDATE(p.types > 0 && p.epsilon.size() == pairs && p.sigma.size() == pairs,
                "1-4 pairs of scaled strength have no Lennard-Jones parameters",
                "give epsilon and sigma for every pair of types, or exclude 1-4 pairs");
  const double longest = 3 * longest_bond(parameters_, topology_);
  std::vector<double> constants;
  const double coulomb = s.coulomb_scale_14 * p.coulomb;
  for (std::size_t k = 0; k < pairs; ++k) {
    const double epsilon = s.scale_14 * p.epsilon[k], s6 = sixth_power(p.sigma[k]);
    constants.insert(constants.end(), {24 * epsilon * s6, 2 * s6, coulomb, longest * longest});
    if (p.sigma[k] > 0)
      raise_largest(lj_force * std::abs(epsilon) / p.sigma[k], lj_virial * std::abs(epsilon));
  }
  const double min_distance = min_arm_fraction * longest / 3;
  const double energy = std::abs(coulomb) * largest_charge * largest_charge / min_distance;
  raise_largest(energy / min_distance, energy);
  pair_list_ = static_cast<int>(lists_.size());
  lists_.emplace_back(executor_, launch_scaled_pairs, is_fault<md_kernels::ScaledPair>, 2,
                      add_energy("pair14"), constants);
}

}  // namespace gsim::md
