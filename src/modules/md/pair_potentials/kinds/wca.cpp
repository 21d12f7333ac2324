// The potential of Weeks, Chandler and Andersen (pair_table.hpp), which the kernels of
// Lennard-Jones compute.

#include "gsim/config/section.hpp"
#include "src/modules/md/pair_potentials/pair_table.hpp"
#include "src/modules/md/pair_potentials/truncation.hpp"

namespace gsim::md {
namespace {

MakePairPotential describe_wca(Section& s, double /*default_cutoff*/) {
  double epsilon = 1, sigma = 1;
  PairPotential keys;
  s.required("epsilon", epsilon, {.doc = "energy at r = sigma", .unit = "energy", .minimum = 0});
  s.required(
      "sigma", sigma,
      {.doc = "diameter of an atom", .unit = "length", .minimum = 0, .exclusive_minimum = true});
  describe_closest(s, keys);
  return [epsilon, sigma, closest = keys.closest](const Section& values) {
    PairPotential potential = wca(epsilon, sigma);
    potential.closest = closest;
    validate_closest(values, potential);
    return potential;
  };
}

}  // namespace

void register_wca(Registry& registry) {
  PotentialKind kind;
  kind.name = "wca";
  kind.doc = "Lennard-Jones up to its minimum at 2^(1/6) sigma, shifted to zero there";
  kind.describe = describe_wca;
  registry.extend(kind);
}

}  // namespace gsim::md
