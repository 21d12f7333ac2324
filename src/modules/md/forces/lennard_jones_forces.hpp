#pragma once
// Lennard-Jones forces on the host behind ShortRange.

#include <utility>

#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/nonbonded/nonbonded.hpp"

namespace gsim::md {

class LennardJonesForces : public ShortRange {
 public:
  LennardJonesForces(Nonbonded pairs, double cutoff) : pairs_(std::move(pairs)), cutoff_(cutoff) {}
  ForceQuanta quanta() const { return {pairs_.force_quantum(), pairs_.energy_quantum()}; }

  std::vector<std::string> energy_names() const override { return {"pair"}; }
  double cutoff() const override { return cutoff_; }
  LargestForce largest() const override { return {}; }
  void set_quanta(const ForceQuanta&) override {}
  void box_changed(const Box&) override {}
  void rebuild(const ForceContext& c) override {
    pairs_.rebuild(c.particles.positions(), c.particles.locals());
  }
  View<const std::int32_t> spatial_order() const override { return pairs_.spatial_order(); }
  bool load_locals(const ForceContext& c) override {
    return pairs_.load_locals(c.particles.positions());
  }
  void compute_locals(const ForceContext& c) override { pairs_.compute_locals(c.with_sums); }
  void compute_ghosts(const ForceContext& c) override {
    pairs_.compute_ghosts(c.particles.positions(), c.with_sums);
  }
  void collect(const ForceContext& c, ForceSums& sums) override {
    NonbondedSums own;
    pairs_.collect(c.particles.store.elements<std::int64_t>(c.particles.force), own);
    sums.energy[0].add(own.energy);
    for (int v = 0; v < 6; ++v) sums.virial[v].add(own.virial[v]);
  }

 private:
  Nonbonded pairs_;
  double cutoff_;
};

}  // namespace gsim::md
