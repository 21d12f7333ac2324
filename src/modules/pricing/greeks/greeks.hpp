#pragma once
// The Greeks of a run: their estimates and result tables. Each Greek is sampled on the same blocks
// as the price of its trade, on the paths of the whole portfolio. Its sums over samples are those
// of a further trade of the run: the number of trades plus the index of the Greek.

#include <memory>
#include <string>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/greeks/greeks_engine.hpp"
#include "src/modules/pricing/statistics/estimator.hpp"
#include "src/modules/pricing/statistics/sample_sums.hpp"

namespace gsim::pricing {

class Greeks {
 public:
  Greeks() = default;
  /// Plans the requested Greeks of all trades; without any, nothing is computed or written. The
  /// trades of `setup` must have been set up. The arguments must outlive this object; `sums` are
  /// those of the run.
  Greeks(const PricingConfig& config, const PricingSetup& setup, const Context& context,
         const SampleSums& sums);

  bool empty() const { return plan_.greeks.empty(); }
  /// The Greeks among the trades of the sums.
  IndexRange range() const;
  const std::vector<GreekInfo>& list() const { return plan_.greeks; }

  /// Whether the source can give the prices of the portfolio's trades, too, with the same bits as
  /// the paths of the portfolio.
  bool has_prices() const;
  /// The paths for the Greeks of the trades with a non-zero flag in `active`. The first trades of
  /// the engine are those of the run, with the flags `priced`: all 0 without has_prices().
  SampleSource source(const std::vector<std::uint8_t>& active,
                      const std::vector<std::uint8_t>& priced);
  /// Name and trade of the first Greek with samples that are not finite, or an empty string.
  std::string not_finite() const;
  /// The estimate of Greek `index`, of the whole quantity; NaN for failed trades (those with a
  /// non-zero flag) and for samples that are not finite.
  PriceEstimate estimate(Index index, const std::vector<std::uint8_t>& failed) const;

  /// Writes the table `greeks`, without text about the results: what enters the digest.
  void write(DatasetWriter& writer, const std::vector<std::uint8_t>& failed) const;
  /// Writes the descriptions of the columns, and the remarks.
  void write_remarks(DatasetWriter& writer, const std::vector<std::uint8_t>& failed) const;
  /// "delta SPX", "vega SPX 0.5", "theta".
  std::string name(Index index) const;
  /// A remark on the estimate, or an empty string.
  std::string remark(Index index, const PriceEstimate& estimate,
                     const std::vector<std::uint8_t>& failed) const;

 private:
  PathEngine& engine();
  /// The samples of a Greek are equal, and its estimate is exact.
  bool is_certain(const GreekInfo& greek) const;

  const PricingConfig* config_ = nullptr;
  const PricingSetup* setup_ = nullptr;
  const Context* context_ = nullptr;
  GreekPlan plan_;
  std::vector<GreekSimulations> simulations_;  ///< until the engine is created
  std::vector<GreekControl> controls_;
  std::unique_ptr<PathEngine> engine_;  ///< created before the first block
  const SampleSums* sums_ = nullptr;
};

}  // namespace gsim::pricing
