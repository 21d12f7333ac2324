// How BondedForces is made: the constants of its laws, how far they reach, how large forces get.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/angle.hpp"
#include "gsim/core/error.hpp"
#include "gsim/math/policy.hpp"
#include "gsim/math/trig.hpp"
#include "src/modules/md/bonded/bonded_forces.hpp"

namespace gsim::md {
namespace {

// A FENE bond is out of range where 1 - (r/R0)^2 falls below about this.
constexpr double least_fene_rest = 0.01;
// A Lennard-Jones pair at 0.7 sigma, beyond which it is an overlap: force over epsilon/sigma,
// energy and virial over epsilon.
constexpr double lj_force = 4664, lj_energy = 3265;
// Forces of angles and dihedrals are in range with arms down to this share of the longest one, of
// dihedrals also with three atoms in line up to this sine.
constexpr double least_arm = 1.0 / 8, least_sine = 0.01;
constexpr double largest_charge = 4;
// Of a plugin's bond, which may diverge at its longest: up to this part of it.
constexpr double most_length = 0.99;
// Energies and virials have room for 2^12 times what is said of them below, which is what occurs
// without strain: at the limits of the forces they are a few hundred times that.

constexpr double cube_root_of_2 = 1.2599210498948731648;

Index count(const std::vector<std::string>& labels) { return static_cast<Index>(labels.size()); }

template <class T>
void check_types(const char* kind, const std::vector<std::string>& labels,
                 const std::vector<T>& parameters) {
  GSIM_VALIDATE(
      labels.size() == parameters.size(),
      fmt::format("{} {} types have parameters for {}", labels.size(), kind, parameters.size()),
      "give parameters for every type");
}

void check_bond(const BondParameters& b, const std::string& label) {
  const bool finite = std::isfinite(b.k) && std::isfinite(b.r0) && std::isfinite(b.max_length);
  if (b.kind != nullptr) {
    GSIM_VALIDATE(finite && b.max_length > 0,
                  fmt::format("bond type `{}` has max_length = {}", label, b.max_length),
                  "give a length above 0, or mend longest() of the plugin's bond");
    return;
  }
  GSIM_VALIDATE(finite && b.k > 0 && b.r0 >= 0,
                fmt::format("bond type `{}` has k = {} and r0 = {}", label, b.k, b.r0),
                "give k > 0 and r0 >= 0");
  GSIM_VALIDATE(b.max_length > b.r0 || (b.law == BondLaw::fene && b.max_length > 0),
                fmt::format("bond type `{}` has max_length = {}", label, b.max_length),
                "give a length above r0");
  if (b.law != BondLaw::fene) return;
  GSIM_VALIDATE(b.max_length <= b.r0,
                fmt::format("FENE bond type `{}` has max_length = {} beyond r0 = {}", label,
                            b.max_length, b.r0),
                "give at most r0");
  GSIM_VALIDATE(
      b.epsilon >= 0 && b.sigma > 0 && std::isfinite(b.epsilon) && std::isfinite(b.sigma),
      fmt::format("FENE bond type `{}` has epsilon = {} and sigma = {}", label, b.epsilon, b.sigma),
      "give epsilon >= 0 and sigma > 0");
}

double sixth_power(double x) {
  const double x3 = x * x * x;
  return x3 * x3;
}

void launch_bonds(const Executor& executor, const BondedJob& job) { md_bonds(executor, job); }
void launch_angles(const Executor& executor, const BondedJob& job) { md_angles(executor, job); }
void launch_dihedrals(const Executor& executor, const BondedJob& job) {
  md_dihedrals(executor, job);
}

/// The constants of every type as bond_laws.hpp has them.
std::vector<double> bond_constants(const std::vector<BondParameters>& types, BondLaw law) {
  std::vector<double> c;
  for (const BondParameters& b : types) {
    const double longest2 = b.max_length * b.max_length;
    if (law == BondLaw::harmonic) {
      c.insert(c.end(), {b.k, b.r0, longest2});
    } else {
      const double s6 = sixth_power(b.sigma);
      c.insert(c.end(), {b.k, b.r0 * b.r0, 1 / (b.r0 * b.r0), 24 * b.epsilon * s6, 2 * s6,
                         b.epsilon, cube_root_of_2 * b.sigma * b.sigma, longest2});
    }
  }
  return c;
}

std::vector<double> angle_constants(const std::vector<AngleParameters>& types, AngleLaw law) {
  std::vector<double> c;
  for (const AngleParameters& a : types) {
    c.push_back(a.k);
    if (law == AngleLaw::harmonic) c.push_back(a.theta0 * radians_per_degree);
    if (law == AngleLaw::cosine_squared) c.push_back(sincospi<Strict>(a.theta0 / 180).cos);
  }
  return c;
}

/// The numbers that a plugin's law reads, of energies as they are.
template <class Parameters>
std::vector<double> open_coefficients(const Parameters& p) {
  std::vector<double> c(static_cast<std::size_t>(p.kind->size));
  p.kind->coefficients(p.values.data(), c.data());
  return c;
}
/// Those of all types, and what `more` adds to each; of types of other laws zeros.
template <class Parameters, class More>
std::vector<double> open_constants(const std::vector<Parameters>& types, const BondedKind* kind,
                                   std::size_t size, const More& more) {
  std::vector<double> all;
  for (const Parameters& p : types) {
    std::vector<double> c;
    if (p.kind == kind) c = open_coefficients(p);
    if (p.kind == kind) more(p, c);
    c.resize(size);
    all.insert(all.end(), c.begin(), c.end());
  }
  return all;
}

/// The largest slope and energy between two ends, on a grid whose gaps are covered by twice what is
/// found. InputError where they are not finite.
LargestForce largest_between(const BondedKind& kind, const std::vector<double>& c, double from,
                             double to, const std::string& label) {
  constexpr int steps = 64;
  LargestForce largest;
  for (int k = 0; k <= steps; ++k) {
    const double x = from + (to - from) * k / steps;
    const auto u = kind.terms(x, c.data());
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

/// Of neighbours in angles and dihedrals.
double longest_arm(const BondedParameters& p, const Topology& topology) {
  return p.max_arm > 0 ? p.max_arm : longest_bond(p, topology);
}

/// Whether 1-4 pairs interact with some strength that is not their full one.
bool has_scaled_pairs(const SpecialPairs& s) {
  const bool is_nothing = s.scale_14 == 0 && s.coulomb_scale_14 == 0;
  const bool is_whole = s.scale_14 == 1 && s.coulomb_scale_14 == 1;
  return !s.is_excluded[2] && !is_nothing && !is_whole;
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
      metric_(box.metric(64)),
      labels_{topology_.bond_types, topology_.angle_types, topology_.dihedral_types},
      bonds_(particles.store, "bond", topology_.bonds, atoms, count(topology_.bond_types)),
      angles_(particles.store, "angle", topology_.angles, atoms, count(topology_.angle_types)),
      dihedrals_(particles.store, "dihedral", topology_.dihedrals, atoms,
                 count(topology_.dihedral_types)),
      special_(particles.store, topology_.bonds, atoms, parameters_.special) {
  check_types("bond", labels_[0], parameters_.bonds);
  check_types("angle", labels_[1], parameters_.angles);
  check_types("dihedral", labels_[2], parameters_.dihedrals);
  arm_ = longest_arm(parameters_, topology_);
  reach_ = bonded_reach(parameters_, topology_);
  GSIM_VALIDATE(arm_ > 0 || (angles_.empty() && dihedrals_.empty()),
                "there are angles or dihedrals but no bonds, which would say how long their arms "
                "may be",
                "give [bonded] max_arm");
  if (!bonds_.empty()) add_bond_laws();
  if (!angles_.empty()) add_angle_laws();
  if (!dihedrals_.empty()) add_dihedrals();
  add_scaled_pairs();
}

std::size_t BondedForces::add_energy(const char* name) {
  names_.emplace_back(name);
  return names_.size() - 1;
}

void BondedForces::allow(double force, double energy) {
  largest_.force = std::max(largest_.force, force);
  largest_.energy = std::max(largest_.energy, energy);
}

void BondedForces::add_bond_laws() {
  const auto& types = parameters_.bonds;
  bond_list_.assign(types.size(), -1);
  const std::size_t energy = add_energy("bond");
  for (const BondLaw law : {BondLaw::harmonic, BondLaw::fene}) {
    bool is_used = false;
    for (std::size_t t = 0; t < types.size(); ++t) {
      const BondParameters& b = types[t];
      if (b.kind != nullptr || b.law != law) continue;
      check_bond(b, labels_[0][t]);
      is_used = true;
      bond_list_[t] = static_cast<std::int32_t>(lists_.size());
      if (law == BondLaw::harmonic) {
        const double stretch = std::max(b.r0, b.max_length - b.r0);
        allow(2 * b.k * stretch, 2 * b.k * stretch * b.max_length);
      } else {
        const double pull = b.k * b.r0 / least_fene_rest;
        allow(std::max(pull, lj_force * b.epsilon / b.sigma),
              std::max(10 * b.k * b.r0 * b.r0, lj_energy * b.epsilon));
      }
    }
    if (is_used)
      lists_.emplace_back(executor_, launch_bonds, static_cast<int>(law), 2, energy,
                          bond_constants(types, law));
  }
  for (std::size_t t = 0; t < types.size(); ++t)
    if (types[t].kind != nullptr && bond_list_[t] < 0) add_open_bonds(*types[t].kind, energy);
}

// Lengths from an eighth of the longest one on are in range.
void BondedForces::add_open_bonds(const BondKind& kind, std::size_t energy) {
  const auto& types = parameters_.bonds;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const BondParameters& b = types[t];
    if (b.kind != &kind) continue;
    check_bond(b, labels_[0][t]);
    bond_list_[t] = static_cast<std::int32_t>(lists_.size());
    const LargestForce most = largest_between(kind, open_coefficients(b), least_arm * b.max_length,
                                              most_length * b.max_length, labels_[0][t]);
    allow(most.force, most.energy);
  }
  const auto longest = [](const BondParameters& b, std::vector<double>& c) {
    c.push_back(b.max_length * b.max_length);
  };
  lists_.emplace_back(
      executor_, kind.launch, 0, 2, energy,
      open_constants(types, &kind, static_cast<std::size_t>(kind.size) + 1, longest), 0,
      kind.is_fault);
}

void BondedForces::add_angle_laws() {
  const auto& types = parameters_.angles;
  angle_list_.assign(types.size(), -1);
  const std::size_t energy = add_energy("angle");
  for (const AngleLaw law : {AngleLaw::harmonic, AngleLaw::cosine, AngleLaw::cosine_squared}) {
    bool is_used = false;
    for (std::size_t t = 0; t < types.size(); ++t) {
      const AngleParameters& a = types[t];
      if (a.kind != nullptr || a.law != law) continue;
      GSIM_VALIDATE(std::isfinite(a.k) && a.theta0 >= 0 && a.theta0 <= 180,
                    fmt::format("angle type `{}` has k = {} and theta0 = {} degrees", labels_[1][t],
                                a.k, a.theta0),
                    "give a number, and an angle from 0 to 180");
      is_used = true;
      angle_list_[t] = static_cast<std::int32_t>(lists_.size());
      // |U'| is at most 2 pi k, k and 4 k, U at most pi^2 k, 2 k and 4 k.
      const double slope = 2 * std::numbers::pi * std::abs(a.k);
      allow(slope / (least_arm * arm_), slope);
    }
    if (is_used)
      lists_.emplace_back(executor_, launch_angles, static_cast<int>(law), 3, energy,
                          angle_constants(types, law));
  }
  for (std::size_t t = 0; t < types.size(); ++t)
    if (types[t].kind != nullptr && angle_list_[t] < 0) add_open_angles(*types[t].kind, energy);
}

void BondedForces::add_open_angles(const AngleKind& kind, std::size_t energy) {
  const auto& types = parameters_.angles;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (types[t].kind != &kind) continue;
    angle_list_[t] = static_cast<std::int32_t>(lists_.size());
    const LargestForce most =
        largest_between(kind, open_coefficients(types[t]), -1, 1, labels_[1][t]);
    allow(most.force / (least_arm * arm_), 2 * most.energy);
  }
  const auto nothing = [](const AngleParameters&, std::vector<double>&) {};
  lists_.emplace_back(executor_, kind.launch, 0, 3, energy,
                      open_constants(types, &kind, static_cast<std::size_t>(kind.size), nothing), 0,
                      kind.is_fault);
}

void BondedForces::add_dihedrals() {
  const auto& types = parameters_.dihedrals;
  std::size_t order = 0;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const DihedralParameters& d = types[t];
    double slope = 0;
    for (std::size_t m = 0; m < d.cosine.size(); ++m)
      slope += static_cast<double>(m + 1) * (std::abs(d.cosine[m]) + std::abs(d.sine[m]));
    GSIM_VALIDATE(std::isfinite(slope),
                  fmt::format("dihedral type `{}` has an infinite coefficient", labels_[2][t]),
                  "give numbers");
    order = std::max(order, d.cosine.size() - 1);
    allow(slope / (least_arm * arm_ * least_sine), slope);
  }
  std::vector<double> constants;
  for (const DihedralParameters& d : types) {
    constants.push_back(d.cosine[0]);
    for (std::size_t m = 1; m <= order; ++m) {
      constants.push_back(m < d.cosine.size() ? d.cosine[m] : 0.0);
      constants.push_back(m < d.sine.size() ? d.sine[m] : 0.0);
    }
  }
  dihedral_list_.assign(types.size(), static_cast<std::int32_t>(lists_.size()));
  lists_.emplace_back(executor_, launch_dihedrals, 0, 4, add_energy("dihedral"), constants,
                      static_cast<int>(order));
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
      allow(lj_force * std::abs(epsilon) / p.sigma[k], lj_energy * std::abs(epsilon));
  }
  const double near = least_arm * longest / 3;
  const double energy = std::abs(coulomb) * largest_charge * largest_charge / near;
  allow(energy / near, energy);
  pair_list_ = static_cast<int>(lists_.size());
  lists_.emplace_back(executor_, launch_bonds, static_cast<int>(BondLaw::pair), 2,
                      add_energy("pair14"), constants);
}

}  // namespace gsim::md
