#pragma once
// Test module: estimates pi and E[u^2] = 1/3 from uniform points in the unit square, block by
// block, with the merge tree that module pricing uses. The key `fault` makes it fail, for
// tests/fault.

#include <memory>
#include <string>
#include <string_view>

#include "gsim/engine/merge_stack.hpp"
#include "gsim/engine/module.hpp"

namespace gsim::test_modules {

/// Sums over samples of the two observables and of their squares.
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
  std::string tighten_targets(bool /*was_evaluated*/) override { return {}; }
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  Sums block(Index b) const;
  void fail_in_blocks(Index first, Index last);  // fails if `fault_block_` is in [first, last)
  void throw_if_fault_is_in(std::string_view activity) const;  // throws if `fault` = `activity`

  Index blocks_ = 256, block_samples_ = 512, checkpoint_bytes_ = 0;
  double delay_ = 0;  // seconds per block
  std::string fault_ = "none";
  Index fault_block_ = 0, fault_rank_ = 0;
  mutable Index saves_ = 0;
  std::string health_;
  std::shared_ptr<const Context> context_;
  MergeStack<Sums> stack_;
  bool converged_[2] = {false, false};
};

}  // namespace gsim::test_modules
