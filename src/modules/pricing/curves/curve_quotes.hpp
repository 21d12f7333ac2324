#pragma once
// Quotes of deposits, FRAs and swaps, and their cash flows by the conventions of a curve.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "src/modules/pricing/curves/conventions.hpp"
#include "src/modules/pricing/curves/par_instrument.hpp"
#include "src/modules/pricing/market/market_dates.hpp"

namespace gsim::pricing {

enum class QuoteType { deposit, fra, swap, ois };
inline constexpr std::array<std::string_view, 4> quote_types = {"deposit", "fra", "swap", "ois"};

/// One quote: a table of [[market.curves.NAME.quotes]], or a row of a CSV file.
struct CurveQuote {
  QuoteType type = QuoteType::deposit;
  std::string start;     ///< of an FRA, from the spot date
  std::string maturity;  ///< a tenor from the spot date, or a date
  double rate = 0;
  Index settlement_days = -1;  ///< -1: as for the curve
  SourceLocation at;           ///< of `maturity`

  std::string name() const;  ///< as "swap 5Y"
};

void describe_quote(Section& s, CurveQuote& quote);
/// The cash flows of a quote. Throws an InputError if its dates are invalid.
ParInstrument instrument_of(const CurveQuote& quote, const CurveConventions& conventions,
                            const MarketDates& dates);

}  // namespace gsim::pricing
