#include "src/modules/md/pair_forces/pair_engine.hpp"

#include "src/modules/md/pair_forces/full_list_pairs.hpp"

namespace gsim::md {
namespace {

class ClusterEngine final : public PairEngine {
 public:
  explicit ClusterEngine(Nonbonded engine) : engine_(std::move(engine)) {}

  std::vector<std::string> energy_names() const override { return engine_.energy_names(); }
  double cutoff() const override { return engine_.cutoff(); }
  LargestForce largest() const override { return engine_.largest(); }
  void set_quanta(const ForceQuanta& quanta) override { engine_.set_quanta(quanta); }
  ForceQuanta quanta() const override { return engine_.quanta(); }
  void set_box(const Box& box) override { engine_.set_box(box); }
  void set_skin(double skin) override { engine_.set_skin(skin); }
  void rebuild(const PairAtoms& atoms, const Exclusions* exclusions) override {
    engine_.rebuild(atoms, exclusions);
  }
  View<const std::int32_t> spatial_order() const override { return engine_.spatial_order(); }
  bool load_locals(View<const FixedPosition> positions) override {
    return engine_.load_locals(positions);
  }
  ListState read_locals(View<const FixedPosition> positions) override {
    return engine_.read_locals(positions);
  }
  void shorten_lists() override { engine_.shorten_lists(); }
  void compute_locals(View<std::int64_t>, bool with_sums) override {
    engine_.compute_locals(with_sums);
  }
  void compute_ghosts(View<const FixedPosition> positions, View<std::int64_t>,
                      bool with_sums) override {
    engine_.compute_ghosts(positions, with_sums);
  }
  void collect(View<std::int64_t> forces, ForceSums& sums) override {
    engine_.collect(forces, sums);
  }
  void check() override {}  // collect() has
  std::int64_t work(std::span<std::int64_t> shares) const override { return engine_.work(shares); }

 private:
  Nonbonded engine_;
};

}  // namespace

std::unique_ptr<PairEngine> make_pair_engine(Nonbonded engine) {
  return std::make_unique<ClusterEngine>(std::move(engine));
}

std::unique_ptr<PairEngine> make_pair_engine(const Executor& executor, const Box& box,
                                             const PairTable& table,
                                             const NonbondedOptions& options) {
  if (executor.is_cuda()) return std::make_unique<FullListPairs>(executor, box, table, options);
  return make_pair_engine(Nonbonded(executor, box, table, options));
}

}  // namespace gsim::md
