#pragma once
// A toy module: estimates pi and E[u^2] = 1/3 from uniform points, block by block, with the merge
// tree of real samplers. It can also fail on request, for fault tests.

#include <memory>
#include <string>
#include <string_view>

#include "gsim/engine/merge_stack.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::toys {

/// Sums over samples of the two observables.
struct Sums {
  std::int64_t count = 0;
  double sum[2] = {0, 0};
  double square[2] = {0, 0};
};
Sums merge(const Sums& a, const Sums& b);

class Sampler : public Module {
 public:
  void describe(Section& top) override;
  WorkPlan plan(const Context& context) override;
  void prepare() override {}
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override {
  }  // nothing to do: estimates are computed from the sums on demand
  std::string health() override { return health_; }
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  std::string tighten_targets(bool /*is_judged*/) override { return {}; }
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  Sums block(Index b) const;
  void misbehave(Index first, Index last);
  void fail_in(std::string_view place) const;

  Index blocks_ = 256, block_samples_ = 512, ballast_ = 0;
  double delay_ = 0;  // seconds per block
  std::string fault_ = "none";
  Index fault_block_ = 0, fault_rank_ = 0;
  mutable Index saves_ = 0;
  std::string health_;
  std::shared_ptr<const Context> context_;
  MergeStack<Sums> stack_;
  bool converged_[2] = {false, false};
};

}  // namespace gsim::toys
