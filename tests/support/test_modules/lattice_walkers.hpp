#pragma once
// Test module: random walkers on a periodic square lattice, decomposed into slabs of columns, one
// slab per rank. Walkers migrate between ranks and change the field at the sites that they visit.
// The field depends on the order of visits, so results would differ if migrated walkers were not
// sorted by id. The boundaries of slabs are rebalanced by the density of walkers, which must not
// change results.

#include <memory>

#include "gsim/engine/module.hpp"

namespace gsim::test_modules {

class Walkers : public Module {
 public:
  void describe(Section& top) override;
  WorkPlan plan(const Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override { return (done / 16 + 1) * 16; }
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  struct Walker {
    std::int64_t id, x, y;  // site, 0 … size-1
    std::int64_t dx, dy;    // displacement, not wrapped
  };
  IndexRange slab(int rank) const;
  int owner(Index x) const;
  void step(Index number);
  void migrate();  // moves walkers to the ranks that own their columns, then sorts by id
  void balance();  // moves the boundaries of slabs by the histogram of walkers
  double* site(Index x, Index y);
  void write_field(DatasetWriter& writer, const char* path) const;

  Index size_ = 24, count_ = 200, steps_ = 64;
  bool balance_ = true;
  std::shared_ptr<const Context> context_;
  std::vector<Index> cuts_;                // columns [cuts_[r], cuts_[r + 1]) are rank r's
  std::vector<Walker> walkers_;            // of this rank's columns, by ascending id
  std::vector<double> field_;              // of this rank's columns, [x][y]
  std::int64_t sum_of_squares_ = 0;        // of displacements r at the last update: sum of r^2
  std::int64_t sum_of_fourth_powers_ = 0;  // sum of r^4
};

}  // namespace gsim::test_modules
