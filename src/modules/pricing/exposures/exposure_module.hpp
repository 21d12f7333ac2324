#pragma once
// The module "exposure": exposures of netting sets through time, and valuation adjustments. A unit
// of work is a number of paths with regressions of its own; the results of the units are
// independent estimates, whose spread gives the errors, those of the regressions included. Every
// rank computes a part of the units by its measured speed, and all ranks keep the results of all of
// them.

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsim/domain/work_shares.hpp"
#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exposures/exposure_profile.hpp"

namespace gsim::pricing {

class ExposureModule : public Module {
 public:
  /// The available payoffs and path models; they must outlive the module.
  ExposureModule(std::vector<const PayoffKind*> payoffs, std::vector<const PathModelKind*> models)
      : payoffs_(std::move(payoffs)), models_(std::move(models)) {}
  void describe(Section& top) override;
  void validate() override;
  WorkPlan plan(const Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override {}
  std::string health() override;
  std::vector<Estimate> estimates() const override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  std::string tighten_targets(bool) override { return {}; }  // evaluate() changes nothing
  void write_results(DatasetWriter& writer) const override;
  ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  Index set_count() const { return static_cast<Index>(options_.sets.size()); }
  Index unit_count() const;  ///< finished ones
  /// Numbers of one netting set in a row of results_, and of all of them.
  Index numbers_per_set() const;
  Index numbers_per_unit() const { return set_count() * numbers_per_set(); }
  /// The results of a unit, in the order of a row of results_.
  /// `report` is that of NettingSetValuation::evaluate().
  std::vector<double> compute(Index unit, const std::function<void(double)>& report) const;
  /// Mean and standard error of a number of a netting set over the finished units.
  Estimate estimate(Index set, Index number) const;
  /// The position of a scalar, and of an exposure at a time, among the numbers of a set.
  Index position(int profile, Index time) const;
  Estimate named_estimate(Index set, int scalar) const;
  bool is_judged(Index set, int scalar) const;
  /// Whether the configuration gives what a scalar needs: credit curves, spreads of funding.
  bool is_requested(Index set, int scalar) const;
  void write_tables(DatasetWriter& writer) const;
  void write_terms(DatasetWriter& writer) const;

  std::vector<const PayoffKind*> payoffs_;
  std::vector<const PathModelKind*> models_;
  PricingConfig config_;
  ExposureOptions options_;
  ExposureDates dates_;
  std::unique_ptr<Context> context_;
  Index total_units_ = 0;
  std::unique_ptr<NettingSetValuation> valuation_;
  WorkShares shares_;            ///< of the ranks in the units of a slice
  std::vector<double> results_;  ///< [unit][set][number]
};

}  // namespace gsim::pricing
