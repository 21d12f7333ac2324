#include "src/modules/pricing/ore/ore_netting_sets.hpp"

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/pricing/ore/ore_words.hpp"

namespace gsim::pricing {
namespace {

double amount(const XmlElement& csa, const char* child) {
  return csa.has(child) ? csa.get(child).number() : 0;
}

/// A length of time in years of 365 days.
double years_of(const XmlElement& element) {
  const Tenor tenor = ore_tenor(element);
  switch (tenor.unit) {
    case TimeUnit::days:
      return tenor.length / 365.0;
    case TimeUnit::weeks:
      return 7 * tenor.length / 365.0;
    case TimeUnit::months:
      return tenor.length / 12.0;
    case TimeUnit::years:
      break;
  }
  return tenor.length;
}

void require_daily(const XmlElement& csa) {
  if (!csa.has("MarginingFrequency")) return;
  const XmlElement frequency = csa.get("MarginingFrequency");
  for (const char* child : {"CallFrequency", "PostFrequency"})
    ore_word(frequency, child, {"1D"}, true);
}

void refuse_independent_amount(const XmlElement& csa) {
  if (!csa.has("IndependentAmount")) return;
  const XmlElement independent = csa.get("IndependentAmount");
  ore_word(independent, "IndependentAmountType", {"FIXED"}, true);
  if (!independent.has("IndependentAmountHeld")) return;
  const XmlElement held = independent.get("IndependentAmountHeld");
  if (held.number() != 0)
    held.fail(
        "an independent amount is not supported: in ORE it counts as variation margin, and so adds "
        "to negative exposures, where the initial margin of gsim reduces positive ones only",
        "give the set in [[exposure.netting_sets]], with initial_margin");
}

void read_csa(const XmlElement& csa, const std::string& currency, CellTable& set) {
  if (currency.empty())
    csa.ignore("CSACurrency");
  else if (csa.has("CSACurrency") && csa.text("CSACurrency") != currency)
    csa.get("CSACurrency")
        .fail(fmt::format("the amounts of the agreement are in {}, and the market is in {}",
                          excerpt(csa.text("CSACurrency")), currency));
  CellTable collateral = set.table("collateral", csa.place());
  ore_word(csa, "Bilateral", {"Bilateral"}, true);
  const auto set_amount = [&](const char* key, const char* child) {
    const TextPlace at = csa.has(child) ? csa.get(child).place() : csa.place();
    collateral.set(key, fmt::format("{}", amount(csa, child)), at);
  };
  set_amount("threshold", "ThresholdReceive");
  set_amount("own_threshold", "ThresholdPay");
  set_amount("minimum_transfer", "MinimumTransferAmountReceive");
  if (amount(csa, "MinimumTransferAmountPay") != amount(csa, "MinimumTransferAmountReceive"))
    csa.get("MinimumTransferAmountPay")
        .fail("different minimum transfers of the two parties are not supported");
  const bool has_period = csa.has("MarginPeriodOfRisk");  // by default two weeks
  collateral.set(
      "margin_period",
      fmt::format("{}", has_period ? years_of(csa.get("MarginPeriodOfRisk")) : 14 / 365.0),
      has_period ? csa.get("MarginPeriodOfRisk").place() : csa.place());
  refuse_independent_amount(csa);
  require_daily(csa);
  for (const char* spread :
       {"CollateralCompoundingSpreadReceive", "CollateralCompoundingSpreadPay"})
    require_number(csa, spread, 0, "spreads of the interest on collateral are not supported");
  if (ore_bool(csa, "ApplyInitialMargin", false))
    csa.get("ApplyInitialMargin").fail("initial margin that is computed is not supported");
  // Interest on collateral is that of the discount curve; the others do not enter exposures.
  for (const char* child : {"Index", "EligibleCollaterals", "InitialMarginType",
                            "CalculateIMAmount", "CalculateVMAmount", "NonExemptIMRegulations"})
    csa.ignore(child);
}

}  // namespace

CellTable ore_netting_sets(const XmlDocument& document, const std::string& currency,
                           const std::set<std::string>& used,
                           const std::map<std::string, std::string>& counterparties,
                           const std::set<std::string>& credits) {
  const XmlElement root = document.root();
  CellTable result(root.place());
  for (const XmlElement& element : root.all("NettingSet")) {
    const XmlElement name = element.get("NettingSetId");
    if (!used.contains(name.text())) {
      element.ignore_unread();
      continue;
    }
    CellTable set = result.append("netting_sets", name.place());
    set.set("name", name.text(), name.place());
    const auto counterparty = counterparties.find(name.text());
    if (counterparty != counterparties.end() && credits.contains(counterparty->second))
      set.set("credit", counterparty->second, name.place());
    if (ore_bool(element, "ActiveCSAFlag", true))
      read_csa(element.get("CSADetails"), currency, set);
    else
      for (const XmlElement& csa : element.all("CSADetails")) csa.ignore_unread();
    element.refuse_unread();
  }
  root.refuse_unread();
  return result;
}

}  // namespace gsim::pricing
