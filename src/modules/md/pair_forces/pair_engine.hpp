#pragma once
// What computes pair potentials for PairForces: over clusters on the host (nonbonded.hpp), over
// full lists on any executor (full_list_pairs.hpp). Both give the same integers.

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/modules/md/forces/force_term.hpp"
#include "src/modules/md/pair_forces/nonbonded.hpp"

namespace gsim::md {

class PairEngine {
 public:
  virtual ~PairEngine() = default;

  /// As Nonbonded's members of the same names; views are of executor memory.
  virtual std::vector<std::string> energy_names() const = 0;
  virtual double cutoff() const = 0;
  virtual LargestForce largest() const = 0;
  virtual void set_quanta(const ForceQuanta& quanta) = 0;
  virtual ForceQuanta quanta() const = 0;
  virtual void set_box(const Box& box) = 0;
  virtual void set_skin(double skin) = 0;
  virtual void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) = 0;
  virtual View<const std::int32_t> spatial_order() const = 0;
  virtual bool load_locals(View<const FixedPosition> positions) = 0;
  virtual ListState read_locals(View<const FixedPosition> positions) {
    return load_locals(positions) ? ListState::good : ListState::stale;
  }
  virtual void shorten_lists() {}
  /// `forces` are those that collect() will get: engines may add to them at once.
  virtual void compute_locals(View<std::int64_t> forces, bool with_sums) = 0;
  virtual void compute_ghosts(View<const FixedPosition> positions, View<std::int64_t> forces,
                              bool with_sums) = 0;
  virtual void collect(View<std::int64_t> forces, ForceSums& sums) = 0;
  /// As ShortRange's.
  virtual void check() = 0;
  virtual std::int64_t work(std::span<std::int64_t> shares) const = 0;
};

/// Full lists on a CUDA executor, clusters on the host. As the constructors of both.
std::unique_ptr<PairEngine> make_pair_engine(const Executor& executor, const Box& box,
                                             const PairTable& table,
                                             const NonbondedOptions& options);
std::unique_ptr<PairEngine> make_pair_engine(Nonbonded engine);

}  // namespace gsim::md
