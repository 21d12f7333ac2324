#pragma once
// One trade of the configuration, in [[trades]] or as a row of a CSV file. Both forms have the same
// keys and are read by the same functions.

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/pricing/payoff_kind.hpp"
#include "src/modules/pricing/exercise/exercise_terms.hpp"
#include "src/modules/pricing/market/market_config.hpp"
#include "src/modules/pricing/scripts/script_library.hpp"

namespace gsim::pricing {

struct ScriptedTrade;

inline constexpr double same_date = 1e-7;  ///< years (3 seconds); dates closer than this are equal
inline constexpr double longest_maturity = 200;  ///< years

/// Source location of a trade. For a row of a CSV file only the line number is stored per trade,
/// and the file name is shared, because a portfolio may have millions of rows.
class TradeSource {
 public:
  TradeSource() = default;
  /// A table of the configuration.
  explicit TradeSource(SourceLocation at)
      : at_(std::make_shared<const SourceLocation>(std::move(at))) {}
  /// Line `line` of the file in `file`.
  TradeSource(std::shared_ptr<const SourceLocation> file, int line)
      : at_(std::move(file)), line_(line) {}
  /// Location for messages; for a CSV row without the text of its line.
  SourceLocation location() const;

 private:
  std::shared_ptr<const SourceLocation> at_;
  int line_ = 0;
};

/// A trade with its validated values. Fields that the product does not use keep their defaults.
struct TradeConfig {
  std::string id;
  TradeSource source;
  bool is_row = false;  ///< whether it is a row of a CSV file, in which a list is one cell
  const PayoffKind* payoff = nullptr;
  double quantity = 1;
  double target_error = 0;         ///< target standard error of the value; 0: those of [stop]
  std::string netting_set;         ///< name, for exposures; empty: not given
  Index currency = base_currency;  ///< of the payments
  std::vector<Index> assets;       ///< indices into MarketConfig::assets
  std::vector<double> weights;     ///< one per asset
  bool call = true;
  double strike = 0;                 ///< or moneyness (forward start, cliquet), or variance strike
  double maturity = 0;               ///< years
  double payment_lag = 0;            ///< years from maturity to payment
  std::vector<double> fixings;       ///< years, increasing, the last one <= maturity
  std::vector<double> past_fixings;  ///< spots observed before today
  bool pays_asset = false;           ///< digital
  double cash = 1;                   ///< digital
  double start = 0;                  ///< forward start
  bool geometric = false;            ///< asian, basket
  bool average_strike = false;       ///< asian
  bool floating = false;             ///< lookback
  bool continuous = false;           ///< barrier, lookback
  double barrier = 0, rebate = 0;
  bool up = false, knock_in = false, rebate_at_hit = false;
  bool touched = false;     ///< the barrier was touched before today
  double past_extreme = 0;  ///< lookback: running extreme, 0: none
  double local_floor = 0, local_cap = 0, global_floor = 0, global_cap = 0;
  double past_return = 0;            ///< cliquet: sum of clipped returns of past periods
  double observations_per_year = 0;  ///< variance swap
  std::vector<double> numbers;       ///< KeyValues::numbers of a payoff with launchers
  ExerciseTerms exercise;
  std::shared_ptr<const ScriptedTrade> script;  ///< of a payoff that is a script

  /// Name of the product in tables, for example "European call" or "down-and-out put".
  std::string product_name() const;
  /// The quantity as the configuration gives it (ExerciseTerms::by_issuer).
  double given_quantity() const { return exercise.by_issuer ? -quantity : quantity; }
};

/// The keys of a swap besides the fixed rate, in years: either start, end and lengths of periods,
/// or the dates between the periods, their year fractions (by default their lengths) and their
/// dates of payment (by default their ends).
struct SwapKeys {
  double start = 0, end = 0;
  double float_period = 0.25, fixed_period = 1;
  std::vector<double> float_dates, fixed_dates;
  std::vector<double> float_accruals, fixed_accruals;
  std::vector<double> float_payments, fixed_payments;
  double spread = 0;                ///< added to the floating rate
  std::vector<double> known_rates;  ///< of the first floating periods that are not paid yet
};

/// A trade while it is read. Besides the fields of TradeConfig it holds the values of keys that
/// only validation uses; they are not kept, because a portfolio may have millions of trades.
struct TradeInput : TradeConfig {
  std::string asset_name;                ///< `asset`
  std::vector<std::string> asset_names;  ///< `assets`
  std::string asset_cell;                ///< `assets` of a CSV row: all names in one cell
  Index fixing_count = 0;
  double fixing_start = 0, fixing_end = 0;  ///< years
  double last_reset = 0;                    ///< cliquet: spot at the last reset, 0: none
  std::vector<double> exercise_dates;       ///< years, as given
  Index exercise_count = 0;
  SwapKeys swap;  ///< swap, cap_floor, swaption, bond
  ScriptInput script_input;
  std::string currency_name;                 ///< `currency`; empty: that of the assets
  Conversion conversion = Conversion::none;  ///< where it is not that of the assets
  MarketConfig* market = nullptr;            ///< to which converted assets are added
  KeyValues key_values;                      ///< values of the keys of PayoffKind::describe()
};

/// The payoffs available for trades.
using PayoffKinds = std::span<const PayoffKind* const>;

/// Reads trades. Data shared by all trades is created once, since a portfolio may have millions.
class TradeReader {
 public:
  /// Both arguments must outlive the reader, which adds converted assets to the market.
  TradeReader(MarketConfig& market, PayoffKinds kinds);
  TradeReader(const TradeReader&) = delete;
  TradeReader& operator=(const TradeReader&) = delete;

  /// Describes the keys of one trade; those of its product are also validated.
  void describe(Section& section, TradeInput& trade);
  /// Sets the location of the trade, and checks the keys that all products have.
  void validate(const Section& section, TradeInput& trade);

 private:
  MarketConfig* market_;
  std::vector<Section::Alternative> products_;
  TradeInput* trade_ = nullptr;                 ///< the trade being read
  std::shared_ptr<const SourceLocation> file_;  ///< the CSV file of the rows
};

}  // namespace gsim::pricing
