#pragma once
// Pair potentials as the simulation's loop sees them.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/modules/md/forces/short_range.hpp"
#include "src/modules/md/pair_forces/pair_engine.hpp"

namespace gsim::md {

/// What pair engines read of the particles: locals, and the ghosts behind them.
PairAtoms pair_atoms(Particles& particles);

class PairForces final : public ShortRange {
 public:
  explicit PairForces(std::unique_ptr<PairEngine> engine) : engine_(std::move(engine)) {}
  explicit PairForces(Nonbonded engine) : PairForces(make_pair_engine(std::move(engine))) {}

  /// Pairs that lists leave out; they are read at every rebuild(), when its owner has brought them
  /// up to date, and must live as long as this.
  void use_exclusions(const Exclusions* exclusions) { exclusions_ = exclusions; }

  /// Adds the tails of potentials that `counts` atoms of the types have: an energy "tail" of its
  /// own, and its pressure. Before the run.
  void add_tail(TailFunction tail, std::vector<Index> counts);

  std::vector<std::string> energy_names() const override;
  double cutoff() const override { return engine_->cutoff(); }
  LargestForce largest() const override { return engine_->largest(); }
  void set_quanta(const ForceQuanta& quanta) override { engine_->set_quanta(quanta); }
  void box_changed(const Box& box) override { engine_->set_box(box); }
  void set_skin(double skin) override { engine_->set_skin(skin); }
  void rebuild(const ForceContext& context) override;
  View<const std::int32_t> spatial_order() const override { return engine_->spatial_order(); }
  bool load_locals(const ForceContext& context) override;
  ListState read_locals(const ForceContext& context) override;
  void shorten_lists() override { engine_->shorten_lists(); }
  void compute_locals(const ForceContext& context) override;
  void compute_ghosts(const ForceContext& context) override;
  void collect(const ForceContext& context, ForceSums& sums) override;
  void check() override { engine_->check(); }
  std::int64_t work(std::span<std::int64_t> shares) const override { return engine_->work(shares); }

  const PairEngine& engine() const { return *engine_; }

 private:
  std::unique_ptr<PairEngine> engine_;
  const Exclusions* exclusions_ = nullptr;
  std::optional<TailFunction> tail_;
  std::vector<Index> counts_;
  std::size_t tail_place_ = 0;  // among the energies
};

}  // namespace gsim::md
