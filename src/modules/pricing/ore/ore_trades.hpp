#pragma once
// Trades of Open Source Risk Engine's portfolio.xml as trades of gsim: each becomes the keys of
// [[trades]], with the places of the elements from which they come, and is read, checked and
// reported as a row of a CSV file. An element that is not understood is an error, since it may
// change the value; those that do not are counted (XmlDocument::warn_of_ignored()).
//
// A translation when the configuration is read was chosen in place of a program that converts files
// once: the files that a desk keeps stay the only source, messages name their lines, and results
// contain them. What gsim makes of a trade is in the table `trades` of the results.

#include <string>
#include <utility>
#include <vector>

#include "src/modules/pricing/market/market_dates.hpp"
#include "src/modules/pricing/ore/ore_fixings.hpp"
#include "src/modules/pricing/ore/xml_document.hpp"

namespace gsim::pricing {

struct MarketConfig;

/// What trades need besides their own elements.
struct OreContext {
  std::string currency;  ///< of [ore]
  const MarketConfig* market = nullptr;
  const MarketDates* dates = nullptr;
  const OreFixings* fixings = nullptr;
};

/// A trade as keys of [[trades]].
struct OreTrade {
  CellTable row;
  std::string counterparty, netting_set;  ///< empty: not given
};

/// Translates <Trade>. Throws a ConfigError for what is not understood or not supported.
OreTrade ore_trade(const XmlElement& trade, const OreContext& context);

}  // namespace gsim::pricing
