#pragma once
// The tables [market.credit.NAME].

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "src/modules/pricing/curves/credit_curve.hpp"
#include "src/modules/pricing/curves/curve_config.hpp"

namespace gsim::pricing {

/// The credit of an issuer.
struct MarketCredit {
  std::string name;
  double recovery = 0.4;  ///< share of a claim that is paid after a default
  CreditCurve curve;
  std::vector<double> times;  ///< pillars, in years
  /// The quotes at the pillars, as "CDS 5Y", and par spreads minus quotes; empty without quotes.
  std::vector<std::string> quotes;
  std::vector<double> quote_errors;
};

/// The issuer of that name, or null.
const MarketCredit* find_credit(const std::vector<MarketCredit>& issuers, std::string_view name);

/// The warning that an issuer is left out.
std::string left_out_text(const std::string& name, const std::string& problem);

/// Describes and validates the tables. Payments are discounted with `rate` where a table names no
/// curve. The tables of `more` follow; of these an issuer with an error is left out with a warning.
void describe_credit(Section& market, const MarketDates& dates, const MoreTables& more,
                     const std::vector<MarketCurve>& curves, const StepFunction& rate,
                     std::vector<MarketCredit>& issuers, std::vector<std::string>& warnings);

}  // namespace gsim::pricing
